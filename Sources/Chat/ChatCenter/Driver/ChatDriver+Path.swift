import ChatCenterCore

extension ChatDriver {
    /// Watches the device's way to the network while there is a user and the app is in the foreground, and only then:
    /// in the background nothing runs.
    func watchPath(_ state: inout State) {
        let isWanted = state.session != nil && state.isForeground && !state.isShutDown
        guard isWanted != state.isWatchingPath else { return }
        state.isWatchingPath = isWanted
        guard isWanted else {
            state.pathMonitor?.stop()
            return
        }
        let monitor = state.pathMonitor ?? environment.makePathMonitor()
        state.pathMonitor = monitor
        monitor.start { [weak self] path in self?.handle(.network(.path(path))) }
    }
}
