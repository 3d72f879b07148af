extension Task where Failure == any Error {
    /// What the task came to. It is cancelled with the one that waits, so that a test's time limit ends both.
    var ended: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}
