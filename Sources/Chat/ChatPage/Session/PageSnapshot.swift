import ChatCenterCore

/// A state as the pages have seen it: the fields in JSON, and the rows.
struct PageSnapshot: Sendable {
    /// The fields in JSON, without the rows.
    let fields: [PageField]
    /// The rows, oldest first.
    let rows: [ChatScreenMessage]
    /// The texts and the theme.
    let appearance: PageAppearance
    private let screen: ChatScreenState

    /// Creates a snapshot. Takes the rows of the snapshot before it if they have not changed.
    init(
        _ state: PageState, after before: PageSnapshot? = nil, _ imagePath: @escaping @Sendable (String) -> String?
    ) {
        fields = state.fields(imagePath)
        appearance = state.appearance
        screen = state.screen
        if let before, before.screen.hasSameRows(as: state.screen) {
            rows = before.rows
        } else {
            rows = state.screen.messages
        }
    }

    /// Returns the fields that differ from those of an earlier snapshot.
    func changedFields(since before: PageSnapshot) -> [PageField] {
        zip(before.fields, fields).filter { $0 != $1 }.map { $0.1 }
    }
}
