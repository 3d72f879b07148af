#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI

/// A survey or a request to close the dialog.
struct ChatSurveyView: View {
    let item: ChatSurveyItem
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            if let text = item.text, !text.isEmpty { Text(verbatim: text).font(style.font(.title)) }
            ForEach(item.questions) { question in
                VStack(alignment: .leading, spacing: 6) {
                    Text(verbatim: question.text).font(style.font(.body)).accessibilityAddTraits(.isHeader)
                    choices(question)
                }
                .disabled(!question.isOpen)
            }
            if let comment = item.comment {
                ChatCommentField(title: model.texts(.surveyComment), text: comment) {
                    model.screen.comment(item.id, $0)
                }
            }
            ForEach(item.actions, id: \.self) { action($0) }
            if let thanks = item.thanks { Text(verbatim: thanks).font(style.font(.bold)) }
            ForEach(item.failed, id: \.self) { answer in
                HStack {
                    Text(verbatim: model.texts(.messageNotDelivered)).foregroundStyle(style.color(.error))
                    Button {
                        model.screen.retry(answer)
                    } label: {
                        Text(verbatim: model.texts(.actionRetry)).frame(minHeight: 44)
                    }
                    .buttonStyle(ChatPressStyle(style: style))
                }
                .font(style.font(.button))
            }
            Text(verbatim: item.time).font(style.font(.caption2)).foregroundStyle(style.color(.textSecondary))
        }
        .foregroundStyle(style.color(.onIncoming))
        .padding(12)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(style.color(.incoming), in: RoundedRectangle(cornerRadius: style.palette.bubbleRadius))
        .accessibilityElement(children: .contain)
    }

    @ViewBuilder private func choices(_ question: ChatSurveyItem.Question) -> some View {
        switch question.style {
        case .buttons: VStack(alignment: .leading) { buttons(question) }
        case .thumbs: HStack { buttons(question) }
        case .scale: ScrollView(.horizontal) { HStack { buttons(question) } }.scrollIndicators(.hidden)
        }
    }

    private func buttons(_ question: ChatSurveyItem.Question) -> some View {
        ForEach(question.choices) { choice in
            Button {
                model.screen.rate(item.id, question: question.id, rate: choice.id)
            } label: {
                Group {
                    if let symbol = choice.symbol {
                        Image(systemName: symbol + (choice.isChosen ? ".fill" : ""))
                    } else {
                        Text(verbatim: choice.title)
                    }
                }
                .font(style.font(.button))
                .padding(.horizontal, 10)
                .frame(minWidth: 44, minHeight: 44)
                .foregroundStyle(style.color(choice.isChosen ? .onButton : .link))
                .background(style.color(choice.isChosen ? .button : .surface), in: Capsule())
                .overlay { Capsule().stroke(style.color(.link), lineWidth: 1) }
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: choice.spoken))
            .accessibilityAddTraits(choice.isChosen ? .isSelected : [])
        }
    }

    private func action(_ action: ChatSurveyItem.Action) -> some View {
        Button {
            switch action {
            case .submit: model.screen.submit(item.id)
            case .closeThread: model.screen.closeThread(item.id)
            case .reopenThread: model.screen.reopenThread(item.id)
            }
        } label: {
            Text(verbatim: title(action))
                .font(style.font(.button))
                .padding(.horizontal, 14)
                .frame(maxWidth: .infinity, minHeight: 44)
                .foregroundStyle(style.color(.onButton))
                .background(style.color(.button), in: RoundedRectangle(cornerRadius: 10))
        }
        .buttonStyle(.plain)
        .disabled(action == .submit && !item.canSubmit)
    }

    private func title(_ action: ChatSurveyItem.Action) -> String {
        switch action {
        case .submit: model.texts(.surveySend)
        case .closeThread: model.texts(.surveyCloseThread)
        case .reopenThread: model.texts(.surveyReopenThread)
        }
    }
}

/// The field for the comment on a survey. It keeps its own text, because the SDK's states arrive later than the keys.
struct ChatCommentField: View {
    let title: String
    let changed: @MainActor (String) -> Void
    @State private var text: String

    init(title: String, text: String, changed: @escaping @MainActor (String) -> Void) {
        self.title = title
        self.changed = changed
        _text = State(initialValue: text)
    }

    var body: some View {
        TextField(title, text: $text, axis: .vertical)
            .lineLimit(2...5)
            .textFieldStyle(.roundedBorder)
            .onChange(of: text) { changed(text) }
    }
}
#endif
