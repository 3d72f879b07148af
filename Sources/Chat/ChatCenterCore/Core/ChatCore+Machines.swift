// What the machines depend on.
extension ChatCore {
    /// Milliseconds between two drafts.
    var typingInterval: Int64 { Int64(configuration.typingInterval.value) }

    /// The server can be asked for its count, and is not being asked.
    var mayPoll: Bool { mayCall && !calls.contains(.unreadPoll) }

    var searchConditions: SearchMachine.Conditions {
        SearchMachine.Conditions(
            isAuthorized: session.isAuthorized, isEnabled: configuration.searchEnabled.value,
            mayAskServer: route.hasRoute && mayCall, pageSize: configuration.historyLoadingCount.value)
    }
}
