#if canImport(SwiftUI)
import Accessibility
public import ChatCenter
import ChatCenterCore
import Foundation
import QuickLook
public import SwiftUI

/// A chat screen in SwiftUI. It has been type-checked against stubs and has not been run on Apple hardware.
///
/// ```swift
/// struct SupportView: View {
///     let screen: ChatScreen  // from ChatCenterUISDK.getChat()
///     var body: some View { ChatView(screen) }
/// }
/// ```
///
/// The view reports to the SDK when it appears and disappears. Keep one ``ChatScreen`` for the life of the view; with
/// another one, the view begins again.
public struct ChatView: View {
    private let screen: ChatScreen
    private let options: ChatViewOptions
    @State private var holder = ChatModelHolder()

    /// Creates a view of a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen, from ``ChatCenterUISDK/getChat(userInfo:)``.
    ///   - options: The settings that do not come from the server.
    public init(_ screen: ChatScreen, options: ChatViewOptions = ChatViewOptions()) {
        self.screen = screen
        self.options = options
    }

    /// The view.
    public var body: some View {
        let model = holder.model(screen, options)
        ChatContent(model: model, screen: screen)
            .environment(\.layoutDirection, model.texts.isRightToLeft ? .rightToLeft : .leftToRight)
            .environment(\.openURL, OpenURLAction { model.screen.open($0) ? .handled : .systemAction })
            .onAppear { model.appeared() }
            .onDisappear { model.disappeared() }
            .id(ObjectIdentifier(model))
    }
}

/// Creates the view model when the view is drawn for the first time, and again for another screen.
@MainActor final class ChatModelHolder {
    private var screen: ChatScreen?
    private var model: ChatViewModel?

    init() {}

    func model(_ screen: ChatScreen, _ options: ChatViewOptions) -> ChatViewModel {
        if let model, self.screen === screen { return model }
        let new = ChatViewModel(screen, options, audio: ChatAudioDevice())
        self.screen = screen
        model = new
        return new
    }
}

/// The parts of a chat screen, from top to bottom.
struct ChatContent: View {
    let model: ChatViewModel
    let screen: ChatScreen
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.colorSchemeContrast) private var contrast
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    @ScaledMetric private var scale: CGFloat = 1
    @State private var position: ChatRow.ID?

    var body: some View {
        let style = ChatStyle(
            palette: ChatPalette(
                light: screen.theme, dark: screen.darkTheme, isDark: colorScheme == .dark,
                needsContrast: contrast == .increased),
            scale: scale)
        VStack(spacing: 0) {
            if model.options.showsTitle, !style.palette.hidesTitle {
                ChatHeaderView(model: model, style: style)
            }
            if model.options.showsSecurity {
                ChatSecurityView(item: ChatSecurityItem(screen.security, model.texts), style: style)
            }
            ChatBannersView(model: model, style: style)
            if let rows = model.contextRows, let context = model.state.context {
                ChatContextView(model: model, context: context, rows: rows, style: style)
            } else if model.isSearching {
                ChatSearchView(model: model, style: style)
            } else {
                ChatTranscriptView(model: model, style: style, position: $position)
                ChatToolbarView(model: model, style: style)
                ChatComposerView(model: model, style: style)
            }
        }
        .background(style.color(.background))
        .onChange(of: model.observed, initial: true) {
            let change = model.stateChanged()
            for words in change.announcements { AccessibilityNotification.Announcement(words).post() }
            if let target = change.scroll { scroll(to: target) }
        }
        .quickLookPreview(
            Binding { @MainActor in
                model.preview
            } set: { @MainActor in
                if $0 == nil { model.closePreview() }
            })
    }

    private func scroll(to row: ChatRow.ID) {
        withAnimation(reducesMotion ? nil : .default) { position = row }
    }
}
#endif
