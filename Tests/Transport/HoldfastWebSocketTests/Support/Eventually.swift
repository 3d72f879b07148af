/// Waits for a condition by yielding to other tasks. Returns `false` if it does not become true. Use it for effects of
/// other tasks that send no notification.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<100_000 {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}
