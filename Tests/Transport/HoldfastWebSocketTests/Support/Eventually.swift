/// Waits, by giving way to other tasks, until something is so; `false` if it does not become so. For what another task
/// brings about without telling.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<100_000 {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}
