#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI
#if canImport(UIKit)
import UIKit
#endif

/// A message with its author, quotes, files and buttons.
struct ChatBubbleView: View {
    let bubble: ChatBubble
    let model: ChatViewModel
    let style: ChatStyle

    private var isOutgoing: Bool { bubble.side == .outgoing }
    private var ink: ChatPalette.ColorName { isOutgoing ? .onOutgoing : .onIncoming }

    var body: some View {
        HStack(alignment: .bottom, spacing: 8) {
            if isOutgoing { Spacer(minLength: 48) }
            VStack(alignment: isOutgoing ? .trailing : .leading, spacing: 4) {
                if let author = bubble.author {
                    ChatAuthorView(author: author, showsPicture: style.palette.showsAvatars, model: model, style: style)
                } else if let author = bubble.ownAuthor, style.palette.showsOwnAvatar {
                    ChatAuthorView(author: author, showsPicture: true, model: model, style: style)
                }
                card
                if bubble.delivery?.isFailed == true { failure }
                if style.palette.quickReplies == .embed, !bubble.buttons.isEmpty {
                    VStack(alignment: .leading) {
                        ForEach(bubble.buttons) { ChatQuickReplyView(reply: $0, model: model, style: style) }
                    }
                }
            }
            if !isOutgoing { Spacer(minLength: 48) }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: bubble.spoken))
        .accessibilityActions { ChatActionButtons(bubble: bubble, model: model) }
    }

    private var card: some View {
        VStack(alignment: .leading, spacing: 6) {
            ForEach(Array(bubble.quotes.enumerated()), id: \.offset) { _, quote in
                ChatQuoteView(quote: quote, model: model, style: style)
            }
            if let text = bubble.text {
                Text(text)
                    .font(style.font(isOutgoing ? .outgoing : .incoming))
                    .italic(bubble.isDeleted)
                    .tint(style.color(.link))
                    .textSelection(.enabled)
            }
            ForEach(bubble.files) { ChatFileView(item: $0, model: model, style: style) }
            if let transcript = bubble.transcript {
                Text(verbatim: transcript)
                    .font(style.font(.caption))
                    .accessibilityLabel(Text(verbatim: model.texts(.messageVoiceTranscript)))
                    .accessibilityValue(Text(verbatim: transcript))
            }
            if let link = bubble.link { ChatLinkView(link: link, style: style) }
            meta
        }
        .foregroundStyle(style.color(ink))
        .padding(.horizontal, 12)
        .padding(.vertical, 8)
        .background(
            style.color(isOutgoing ? .outgoing : .incoming),
            in: RoundedRectangle(cornerRadius: style.palette.bubbleRadius)
        )
        .contextMenu { ChatActionButtons(bubble: bubble, model: model) }
    }

    private var meta: some View {
        HStack(spacing: 4) {
            if let edited = bubble.edited { Text(verbatim: edited) }
            Text(verbatim: bubble.time)
            if let delivery = bubble.delivery {
                Image(systemName: delivery.symbol)
                    .accessibilityLabel(Text(verbatim: delivery.text))
            }
        }
        .font(style.font(.caption2))
        .foregroundStyle(style.color(bubble.delivery?.isFailed == true ? .error : .textSecondary))
    }

    private var failure: some View {
        VStack(alignment: .trailing, spacing: 2) {
            if let delivery = bubble.delivery {
                Text(verbatim: delivery.text + (delivery.reason.map { ": " + $0 } ?? ""))
                    .font(style.font(.caption))
                    .foregroundStyle(style.color(.error))
            }
            HStack {
                Button {
                    model.screen.retry(bubble.id)
                } label: {
                    Text(verbatim: model.texts(.actionRetry)).font(style.font(.button))
                }
                .buttonStyle(ChatPressStyle(style: style))
                .frame(minWidth: 44, minHeight: 44)
                Button(role: .destructive) {
                    model.screen.delete(bubble.id)
                } label: {
                    Text(verbatim: model.texts(.actionDelete)).font(style.font(.button))
                }
                .frame(minWidth: 44, minHeight: 44)
            }
        }
    }
}

/// The actions of a message, in its menu and for VoiceOver.
struct ChatActionButtons: View {
    let bubble: ChatBubble
    let model: ChatViewModel

    var body: some View {
        ForEach(bubble.actions, id: \.self) { action in
            switch action {
            case .reply:
                Button {
                    model.screen.quote(bubble.id)
                } label: {
                    Label(model.texts(.response), systemImage: "arrowshape.turn.up.left")
                }
            case .copy:
                #if canImport(UIKit)
                Button {
                    UIPasteboard.general.string = bubble.copyText
                } label: {
                    Label(model.texts(.copy), systemImage: "doc.on.doc")
                }
                #else
                EmptyView()
                #endif
            case .retry:
                Button {
                    model.screen.retry(bubble.id)
                } label: {
                    Label(model.texts(.actionRetry), systemImage: "arrow.clockwise")
                }
            case .delete:
                Button(role: .destructive) {
                    model.screen.delete(bubble.id)
                } label: {
                    Label(model.texts(.actionDelete), systemImage: "trash")
                }
            }
        }
    }
}

/// The name and the photo of an operator, or the name of the user.
struct ChatAuthorView: View {
    let author: ChatBubble.Author
    let showsPicture: Bool
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        HStack(spacing: 6) {
            if showsPicture {
                ChatRemotePicture(key: author.photo ?? "", longestSide: 96) {
                    await model.picture(at: author.photo)
                } placeholder: {
                    if author.initial.isEmpty {
                        style.image(.avatar, .textSecondary)
                    } else {
                        Text(verbatim: author.initial)
                            .font(style.font(.caption))
                            .foregroundStyle(style.color(.textSecondary))
                    }
                }
                .frame(width: 28, height: 28)
                .background(style.color(.surface))
                .clipShape(Circle())
                .accessibilityHidden(true)
            }
            Text(verbatim: author.name)
                .font(style.font(.heading2))
                .foregroundStyle(style.color(.text))
            if let role = author.role {
                Text(verbatim: role).font(style.font(.caption)).foregroundStyle(style.color(.textSecondary))
            }
        }
    }
}

/// A quoted message. A tap shows its place in the conversation.
struct ChatQuoteView: View {
    let quote: ChatQuoteItem
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        Button {
            if let id = quote.id { model.jump(to: id) }
        } label: {
            HStack(spacing: 6) {
                Rectangle().fill(style.color(.accent)).frame(width: 2)
                VStack(alignment: .leading, spacing: 2) {
                    if !quote.author.isEmpty { Text(verbatim: quote.author).font(style.font(.caption)) }
                    Text(verbatim: quote.text).font(style.font(.subtitle)).lineLimit(2)
                }
            }
            .fixedSize(horizontal: false, vertical: true)
        }
        .buttonStyle(.plain)
        .disabled(quote.id == nil)
        .accessibilityLabel(Text(verbatim: quote.spoken))
    }
}

/// The first link of a message.
struct ChatLinkView: View {
    let link: ChatLinkItem
    let style: ChatStyle

    var body: some View {
        Link(destination: link.url) {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: link.host).font(style.font(.bold)).lineLimit(1)
                if !link.path.isEmpty { Text(verbatim: link.path).font(style.font(.footnote)).lineLimit(1) }
            }
            .padding(8)
            .frame(minHeight: 44)
            .overlay { RoundedRectangle(cornerRadius: 8).stroke(style.color(.border), lineWidth: 1) }
        }
        .tint(style.color(.link))
    }
}
#endif
