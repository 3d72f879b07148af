#if canImport(Observation)
public import ChatCenterCore
public import Observation

/// A chat screen for SwiftUI: its state as an observed property of the main actor.
///
/// ```swift
/// struct ChatView: View {
///     @State var model: ChatScreenModel
///     var body: some View {
///         List(model.state.messages) { row in Text(row.text ?? "") }
///             .onAppear { model.screen.viewDidAppear() }
///             .onDisappear { model.screen.viewDidDisappear() }
///     }
/// }
/// ```
@MainActor @Observable public final class ChatScreenModel {
    /// What is to be drawn now.
    public private(set) var state: ChatScreenState
    /// The screen: what the user does goes there.
    @ObservationIgnored public nonisolated let screen: ChatScreen
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Follows a screen until the model is freed or another screen takes the place of this one.
    public init(_ screen: ChatScreen) {
        self.screen = screen
        state = screen.state
        task = Task { [weak self, states = screen.states] in  // reason: the model follows the screen while it lives
            for await state in states {
                guard let self else { return }
                self.state = state
            }
        }
    }

    deinit { task?.cancel() }
}
#endif
