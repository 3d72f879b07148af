import ChatCenter
import ChatDevServer
import HoldfastTrust

extension DemoStep {
    /// The chat SDK itself meets an impostor in the place of its server.
    static let impostor = DemoStep(
        .attacks, "the chat SDK meets an impostor", .pinnedKeysOnly, .refused(.pinMismatch)
    ) { stage in
        try await stage.showing(.otherAuthority) {
            do {
                let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("victim"))
                client.close()
                return .failed("The chat SDK talks to the impostor.")
            } catch let error as ChatAuthorizationError {
                guard let verdict = error.verdict else { throw error }
                return DemoObservation(outcome: .refused(verdict.finding.code), detail: verdict.finding.reason)
            }
        }
    }

    /// The server goes over to its backup key, and the chat with it.
    static let rotation = DemoStep(
        .lookalikes, "the chat SDK follows the rotation", .pinnedKeysOnly, .works
    ) { stage in
        try await stage.showing(.rotatedToBackupKey) {
            let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("rotated"))
            defer { client.close() }
            try await client.acknowledgement(of: try client.screen.send("Still here."))
            return .worked("The server showed its backup key, and a message was acknowledged.")
        }
    }
}
