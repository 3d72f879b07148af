#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI

/// The title of the chat and the button that opens the search.
struct ChatHeaderView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        HStack {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: model.title)
                    .font(style.font(.barTitle))
                    .foregroundStyle(style.color(.title))
                    .accessibilityAddTraits(.isHeader)
                if let subtitle = model.subtitle {
                    Text(verbatim: subtitle)
                        .font(style.font(.barSubtitle))
                        .foregroundStyle(style.color(.subtitle))
                }
            }
            Spacer()
            if model.state.showsSearch {
                Button {
                    model.toggleSearch()
                } label: {
                    style.image(model.isSearching ? .close : .search, .title)
                        .frame(minWidth: 44, minHeight: 44)
                }
                .accessibilityLabel(Text(verbatim: model.texts(model.isSearching ? .searchClose : .searchTitle)))
            }
        }
        .padding(.horizontal, 16)
        .frame(minHeight: 52)
        .background(style.color(.titleBackground))
    }
}

/// The line that describes how the connections are protected.
struct ChatSecurityView: View {
    let item: ChatSecurityItem
    let style: ChatStyle

    var body: some View {
        Label {
            Text(verbatim: item.text)
        } icon: {
            Image(systemName: item.symbol).foregroundStyle(style.color(item.color))
        }
        .font(style.font(.caption))
        .foregroundStyle(style.color(item.isWarning ? .error : .textSecondary))
        .frame(maxWidth: .infinity)
        .padding(.vertical, 4)
        .background(style.color(item.isWarning ? .errorSurface : .background))
    }
}

/// The problems of the chat, with the time until the next attempt.
struct ChatBannersView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        let banners = model.banners
        if !banners.isEmpty {
            // The countdown changes each second, and the system pauses it while the view is not visible.
            TimelineView(.periodic(from: .now, by: 1)) { context in
                VStack(alignment: .leading, spacing: 8) {
                    ForEach(banners) { banner in
                        row(banner, now: Int64(context.date.timeIntervalSince1970 * 1000))
                    }
                }
            }
        }
    }

    private func row(_ banner: ChatBannerItem, now: Int64) -> some View {
        HStack(alignment: .top) {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: banner.text).font(style.font(.bold))
                if let detail = banner.detail { Text(verbatim: detail).font(style.font(.caption)) }
                if let countdown = banner.countdown(now: now, model.texts) {
                    Text(verbatim: countdown).font(style.font(.caption))
                }
            }
            .accessibilityElement(children: .combine)
            Spacer()
            if banner.offersReload {
                Button {
                    model.screen.reload()
                } label: {
                    Text(verbatim: model.texts(.actionReload)).font(style.font(.button))
                }
                .buttonStyle(ChatPressStyle(style: style))
                .frame(minWidth: 44, minHeight: 44)
            }
        }
        .foregroundStyle(style.color(banner.isFailure ? .error : .text))
        .padding(.horizontal, 16)
        .padding(.vertical, 8)
        .background(style.color(banner.isFailure ? .errorSurface : .surface))
    }
}

/// The quick replies above the input field.
struct ChatToolbarView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        let replies = model.toolbar(style.palette.quickReplies)
        if !replies.isEmpty {
            ScrollView(.horizontal) {
                HStack { ForEach(replies) { ChatQuickReplyView(reply: $0, model: model, style: style) } }
                    .padding(.horizontal, 16)
                    .padding(.vertical, 8)
            }
            .scrollIndicators(.hidden)
        }
    }
}

/// A quick reply.
struct ChatQuickReplyView: View {
    let reply: ChatQuickReply
    let model: ChatViewModel
    let style: ChatStyle
    @Environment(\.openURL) private var openURL

    var body: some View {
        Button {
            if let url = reply.url {
                openURL(url)
            } else {
                Task { await model.press(reply) }  // reason: the message is written to disk meanwhile
            }
        } label: {
            HStack {
                if let image = reply.image {
                    ChatRemotePicture(key: image, longestSide: 96) {
                        await model.picture(at: image)
                    } placeholder: {
                        EmptyView()
                    }
                    .frame(width: 24, height: 24)
                }
                Text(verbatim: reply.title)
            }
            .font(style.font(.quickReply))
            .padding(.horizontal, 14)
            .frame(minHeight: 44)
            .background(style.color(.quickReply), in: Capsule())
        }
        .buttonStyle(ChatPressStyle(style: style, color: .onQuickReply, border: .quickReplyBorder))
        .disabled(model.isSending)
        .accessibilityAddTraits(reply.url == nil ? [] : .isLink)
    }
}
#endif
