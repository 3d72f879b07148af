extension Task where Failure == any Error {
    /// Returns the result of the task. Cancelling the waiting task cancels it too, so that a test's time limit ends
    /// both.
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
