/// Waits for a condition by yielding to other tasks. Returns `false` if it is not true after a minute, or when the
/// test's time limit ends. Use it for effects of other tasks that send no notification.
func eventually(_ condition: () async -> Bool) async -> Bool {
    // Turns are not counted: a busy machine may give this task very many of them before another task has its first.
    let deadline = ContinuousClock.now + .seconds(60)
    while !Task.isCancelled, ContinuousClock.now < deadline {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}
