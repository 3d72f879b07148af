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
    /// The state to render now.
    public private(set) var state: ChatScreenState
    /// The screen that receives the user's actions.
    @ObservationIgnored public nonisolated let screen: ChatScreen
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Creates a model that follows a screen until the model is freed or a newer screen is created.
    public init(_ screen: ChatScreen) {
        self.screen = screen
        state = screen.state
        task = Task { [weak self, states = screen.states] in  // reason: the model follows the screen until it is freed
            for await state in states {
                guard let self else { return }
                self.state = state
            }
        }
    }

    deinit { task?.cancel() }
}
#endif
