import ChatCenterCore

/// What every part of the network shares: where events, errors and log lines go.
struct NetworkReporter: Sendable {
    let sink: @Sendable (NetworkEvent) -> Void
    let errors: ErrorTable
    let log: ChatLog
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// Keeps an error, logs it, and returns what the core is told of it.
    func failure(_ error: any Error, _ what: String) -> TransportFailure {
        let failure = TransportFailure(error, keptIn: errors, now: now())
        log.write([.error], "\(what) failed (\(failure.kind.rawValue)): \(words(error))")
        if let diagnosis = errors.diagnosis(failure.errorID) {
            log.write([.error], "diagnosis: \(diagnosis)")
        }
        return failure
    }

    /// What a server writes beside its code may repeat what the user wrote.
    private func words(_ error: any Error) -> String {
        guard !log.allowsSecrets, let error = error as? ChatServerError else { return "\(error)" }
        return "The server answered \(error.status)" + (error.refusal.map { ": \($0.logged)" } ?? "") + "."
    }
}
