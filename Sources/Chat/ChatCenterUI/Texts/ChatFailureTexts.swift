import ChatCenter
import ChatCenterCore

/// The descriptions of failures for users.
extension ChatUITexts {
    /// Returns the description of a failed call. The result of a trust evaluation follows in the SDK's words.
    func failure(_ failure: TransportFailure) -> String {
        switch failure.kind {
        case .trust: failure.trust.map { ChatPlainText.line($0.reason) } ?? self(.clientErrorDescription)
        case .timedOut: self(.connectionTimeout)
        case .refused: detailed(.clientErrorTitle, refusal(failure.refusal) ?? failure.status.map { "\($0)" })
        case .noConnectivity, .unreachable, .tlsHandshake, .upgradeRefused, .malformedAnswer, .file, .cancelled, .other:
            self(.clientErrorDescription)
        }
    }

    /// Returns the reason why the socket was lost.
    func cause(_ cause: DisconnectCause) -> String {
        switch cause {
        case .transport(let failure): self.failure(failure)
        case .handshakeTimeout, .linkDead: self(.connectionTimeout)
        case .refused(_, let refusal): detailed(.clientErrorTitle, self.refusal(refusal))
        case .closedByServer, .tooManyAttempts: self(.clientErrorDescription)
        }
    }

    /// Returns the reason why a message failed.
    func failure(_ failure: SendFailure) -> String {
        switch failure {
        case .refused(let refusal): detailed(.messageValidationError, self.refusal(refusal))
        case .timedOut, .lost, .expired: self(.connectionTimeout)
        case .upload(let cause):
            switch failure.attachmentRefusal {
            case .type: self(.disallowedFile)
            case .size: self(.fileTooLarge)
            case nil: cause.kind == .timedOut ? self(.timeoutDuringFile) : self(.duringFile)
            }
        }
    }

    private func refusal(_ refusal: ServerRefusal?) -> String? {
        refusal.map { ChatPlainText.line($0.details ?? $0.code) }
    }

    private func detailed(_ key: ChatTextKey, _ detail: String?) -> String {
        guard let detail, !detail.isEmpty else { return self(key) }
        return self(key) + ": " + ChatPlainText.line(detail)
    }
}
