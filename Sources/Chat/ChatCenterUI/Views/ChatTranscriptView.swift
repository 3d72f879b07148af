#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI

/// The messages, and the button that scrolls to the newest one.
struct ChatTranscriptView: View {
    let model: ChatViewModel
    let style: ChatStyle
    @Binding var position: ChatRow.ID?

    var body: some View {
        let rows = model.rows
        ScrollView {
            LazyVStack(spacing: 8) {
                ChatBeginningView(model: model, style: style)
                if rows.isEmpty { ChatEmptyView(model: model, style: style) }
                ForEach(rows) { ChatRowView(row: $0, model: model, style: style) }
            }
            .scrollTargetLayout()
            .padding(.horizontal, 12)
            .padding(.vertical, 8)
        }
        .scrollPosition(id: $position, anchor: .bottom)
        .defaultScrollAnchor(.bottom)
        .scrollDismissesKeyboard(.interactively)
        .onChange(of: position) { model.scrolled(isAtEnd: position == nil || position == model.newestRow()) }
        .overlay(alignment: .bottomTrailing) {
            if !model.isAtEnd {
                Button {
                    position = model.newestRow()
                } label: {
                    HStack {
                        if model.unseen > 0 { Text(verbatim: model.texts.format.number(model.unseen)) }
                        style.image(.scrollToNewest, .onAccent)
                    }
                    .font(style.font(.button))
                    .foregroundStyle(style.color(.onAccent))
                    .padding(.horizontal, 12)
                    .frame(minWidth: 44, minHeight: 44)
                    .background(style.color(.accent), in: Capsule())
                }
                .buttonStyle(.plain)
                .padding(12)
                .accessibilityLabel(Text(verbatim: model.texts(.actionScrollToNewest)))
                .accessibilityValue(Text(verbatim: model.unseenSpoken))
            }
        }
    }
}

/// The top of the messages: loads older ones.
struct ChatBeginningView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        switch model.state.paging {
        case .idle:
            Button {
                model.reachedBeginning()
            } label: {
                Text(verbatim: model.texts(.actionLoadOlder)).font(style.font(.button)).frame(minHeight: 44)
            }
            .buttonStyle(ChatPressStyle(style: style))
            .onAppear { model.reachedBeginning() }
        case .loading: ProgressView().accessibilityLabel(Text(verbatim: model.texts(.loading)))
        case .atBeginning: EmptyView()
        case .failed(let failure):
            VStack {
                Text(verbatim: model.texts.failure(failure))
                    .font(style.font(.caption))
                    .foregroundStyle(style.color(.error))
                Button {
                    model.screen.loadOlder()
                } label: {
                    Text(verbatim: model.texts(.actionLoadOlder)).font(style.font(.button)).frame(minHeight: 44)
                }
                .buttonStyle(ChatPressStyle(style: style))
            }
        }
    }
}

/// What is shown before the first message.
struct ChatEmptyView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        VStack(spacing: 8) {
            style.image(.emptyChat, .textSecondary)
            Text(verbatim: model.texts(.emptyChatTitle))
                .font(style.font(.largeTitle))
                .multilineTextAlignment(.center)
            Text(verbatim: model.texts(.emptyChatText)).font(style.font(.body)).multilineTextAlignment(.center)
        }
        .foregroundStyle(style.color(.textSecondary))
        .padding(32)
        .accessibilityElement(children: .combine)
    }
}

/// One row.
struct ChatRowView: View {
    let row: ChatRow
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        switch row {
        case .day(_, let milliseconds):
            Text(verbatim: model.texts.day(milliseconds, now: model.now()))
                .font(style.font(.date))
                .foregroundStyle(style.color(.date))
                .padding(.vertical, 4)
                .accessibilityAddTraits(.isHeader)
        case .unread:
            HStack {
                Rectangle().fill(style.color(.accent)).frame(height: 1)
                Text(verbatim: model.texts(.messageUnreadDivider))
                    .font(style.font(.caption))
                    .foregroundStyle(style.color(.accent))
                    .fixedSize()
                Rectangle().fill(style.color(.accent)).frame(height: 1)
            }
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(.isHeader)
        case .notice(let message):
            Text(verbatim: model.texts.notice(message))
                .font(style.font(.system))
                .foregroundStyle(style.color(.system))
                .multilineTextAlignment(.center)
                .padding(.vertical, 4)
        case .message(let message, let startsGroup):
            ChatBubbleView(
                bubble: ChatBubble(message, startsGroup: startsGroup, texts: model.texts), model: model, style: style)
        case .survey(let message, let survey):
            ChatSurveyView(item: ChatSurveyItem(message, survey, model.texts), model: model, style: style)
        }
    }
}
#endif
