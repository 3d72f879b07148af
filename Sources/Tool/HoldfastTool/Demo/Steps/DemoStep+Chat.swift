import ChatCenter
import ChatDevServer
import Foundation
import HoldfastTransport
import HoldfastTrust

extension DemoStep {
    /// The conversation through the chat SDK, which trusts only the pinned certificates.
    static let chat: [DemoStep] = [
        DemoStep(.chat, "the chat connects and registers", .pinnedKeysOnly, .worked) { stage in
            let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("client"))
            await stage.conversation.begin(client)
            let security = client.chat.connectionState.security
            return .worked("The user is authorized and the socket is ready. Trust: \(security).")
        },
        DemoStep(.chat, "messages are acknowledged", .pinnedKeysOnly, .worked) { stage in
            let client = try await stage.conversation.opened()
            let texts = ["Hello, this is Ada.", "Is anybody there?", "I have a question about my order."]
            var lines: [String] = []
            for text in texts {
                try await client.acknowledgement(of: try client.screen.send(text))
                await stage.conversation.note(text)
                lines.append("Ada: \(text)  (acknowledged)")
            }
            return .worked("\(texts.count) messages were sent, and each was acknowledged by the server.", lines: lines)
        },
        DemoStep(.chat, "an operator answers", .pinnedKeysOnly, .worked) { stage in
            let client = try await stage.conversation.opened()
            let wanted = await stage.conversation.texts.last.map { "You wrote: \($0)" }
            let state = try await client.waitFor("answer") { state in
                state.messages.contains { $0.text == wanted && $0.speaker != nil }
            }
            let lines = state.messages.compactMap { message in
                message.speaker.map { "\($0): \(message.text ?? "")" }
            }
            return .worked("The operator's answers were received.", lines: lines)
        },
        DemoStep(.chat, "a file is uploaded", .pinnedKeysOnly, .worked) { stage in
            let client = try await stage.conversation.opened()
            let path = try stage.conversation.folder.write(DemoFile.bytes, as: DemoFile.name)
            let receipt = try await client.screen.attach(URL(fileURLWithPath: path)) { progress in
                stage.narrator.show("up  ", progress.completed, of: progress.total)
            }
            try await client.acknowledgement(of: receipt)
            let state = try await client.waitFor("uploaded file") { state in
                state.messages.contains { $0.id == receipt.id && $0.files.first?.reference != nil }
            }
            guard let file = state.messages.first(where: { $0.id == receipt.id })?.files.first else {
                return .failed("The message has no file.")
            }
            await stage.conversation.note(file)
            return .worked("\(DemoFile.bytes.count / 1_024) KiB were uploaded as \(file.reference ?? "").")
        },
        DemoStep(.chat, "the file is downloaded", .pinnedKeysOnly, .worked) { stage in
            let client = try await stage.conversation.opened()
            let file = try await stage.conversation.uploaded()
            let copy = try await client.screen.download(file) { progress in
                stage.narrator.show("down", progress.completed, of: progress.total)
            }
            let bytes = [UInt8](try Data(contentsOf: copy))
            guard bytes == DemoFile.bytes else {
                return .failed("\(bytes.count) bytes were downloaded, and they differ.")
            }
            return .worked("\(bytes.count / 1_024) KiB were downloaded, and every byte is the same.")
        },
        DemoStep(.chat, "the history is loaded", .pinnedKeysOnly, .worked) { stage in
            // A client with an empty store, like another device of the same user.
            let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("second-client"))
            defer { client.close() }
            let texts = await stage.conversation.texts
            guard !texts.isEmpty else { return .failed("There is no conversation: an earlier step failed.") }
            let state = try await client.waitFor("history") { state in
                let seen = state.messages.compactMap(\.text)
                return texts.allSatisfy(seen.contains)
            }
            return .worked("A second device loaded \(state.messages.count) messages of the conversation.")
        },
    ]
}

extension ChatScreenMessage {
    /// The name of the operator who wrote the message; `nil` for other messages.
    fileprivate var speaker: String? {
        if case .other(let speaker) = author { speaker.name ?? "operator" } else { nil }
    }
}

extension DemoStep {
    /// Connects to the genuine server, and prints what it presented with the commands that print the same.
    static let handshake = DemoStep(.chat, "the pinned handshake", .systemAndPins, .accepted(.pinMatched)) { stage in
        let visit = DemoVisit(
            trust: try DemoTrust(authority: stage.authority).systemAndPins(), clock: stage.clock,
            host: stage.authority.host, port: stage.address.port)
        var (observation, facts) = try await visit.overHTTPS()
        guard let facts else { return observation }
        let command = OpenSSLRecipe(
            origin: .server("127.0.0.1:\(stage.address.port)", serverName: stage.authority.host))
        let versions = [facts.tlsVersion, facts.cipherSuite].compactMap { $0 }.joined(separator: ", ")
        observation.lines.append("TLS: \(versions)")
        for (index, certificate) in (facts.presented?.certificates ?? []).enumerated() {
            observation.lines.append("\(certificate.subject): \(certificate.spkiDigest)")
            observation.lines.append("  verify with: " + command.text(for: .certificate, position: index + 1))
        }
        return observation
    }
}

/// The demo's file: as large as a photo, and without two equal kilobytes.
enum DemoFile {
    /// Its name.
    static let name = "holdfast-demo.bin"

    /// The file's bytes: 3 MiB of a simple generator's output (Knuth's MMIX constants), the same in every run.
    static let bytes: [UInt8] = {
        var state: UInt64 = 2_026
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 << 20)
        while bytes.count < 3 << 20 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }()
}
