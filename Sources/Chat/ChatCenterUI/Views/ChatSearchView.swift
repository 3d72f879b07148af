#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI

/// The search in the conversation.
struct ChatSearchView: View {
    let model: ChatViewModel
    let style: ChatStyle
    @State private var text = ""
    @FocusState private var isFocused: Bool

    var body: some View {
        VStack(spacing: 0) {
            if !style.palette.hidesSearchTitle {
                Text(verbatim: model.texts(.searchTitle))
                    .font(style.font(.searchTitle))
                    .foregroundStyle(style.color(.searchTitle))
                    .padding(.horizontal, 12)
                    .padding(.vertical, 8)
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .background(style.color(.searchTitleBackground))
                    .accessibilityAddTraits(.isHeader)
            }
            content
        }
    }

    private var content: some View {
        let search = model.search(now: model.now())
        return VStack(alignment: .leading, spacing: 8) {
            TextField(model.texts(.searchPlaceholder), text: $text)
                .font(style.font(.searchInput))
                .foregroundStyle(style.color(.searchInputText))
                .padding(.horizontal, 12)
                .frame(minHeight: 44)
                .background(style.color(.searchInput), in: RoundedRectangle(cornerRadius: 10))
                .focused($isFocused)
                .submitLabel(.search)
                .onChange(of: text) { model.screen.search(text) }
                .onAppear { isFocused = true }
            if let search {
                notes(search)
                results(search)
            } else {
                Spacer()
            }
        }
        .padding(12)
        .frame(maxHeight: .infinity)
        .background(style.color(.searchBackground))
    }

    @ViewBuilder private func notes(_ search: ChatSearchItem) -> some View {
        if search.isSearching { ProgressView().accessibilityLabel(Text(verbatim: model.texts(.loading))) }
        ForEach([search.status, search.local, search.failure].compactMap { $0 }, id: \.self) { note in
            Text(verbatim: note).font(style.font(.searchSubtitle)).foregroundStyle(style.color(.searchSubtitle))
        }
    }

    private func results(_ search: ChatSearchItem) -> some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 4) {
                ForEach(search.hits) { hit in
                    Button {
                        model.jump(to: hit.id)
                    } label: {
                        VStack(alignment: .leading, spacing: 2) {
                            HStack {
                                Text(verbatim: hit.author).font(style.font(.caption))
                                Spacer()
                                Text(verbatim: hit.time).font(style.font(.caption2))
                            }
                            .foregroundStyle(style.color(.textSecondary))
                            Text(snippet(hit)).foregroundStyle(style.color(.text)).lineLimit(3)
                        }
                        .padding(.vertical, 6)
                        .frame(minHeight: 44)
                    }
                    .buttonStyle(.plain)
                    .accessibilityLabel(Text(verbatim: hit.spoken))
                    .accessibilityHint(Text(verbatim: model.texts(.searchJump)))
                }
                if search.hasMore {
                    Button {
                        model.screen.searchMore()
                    } label: {
                        Text(verbatim: model.texts(.searchMore)).font(style.font(.button)).frame(minHeight: 44)
                    }
                    .buttonStyle(ChatPressStyle(style: style))
                }
            }
        }
    }

    private func snippet(_ hit: ChatSearchHit) -> AttributedString {
        var result = AttributedString()
        for part in hit.parts {
            var piece = AttributedString(part.text)
            piece.font = style.font(part.isMatch ? .searchMatch : .incoming)
            if part.isMatch { piece.foregroundColor = style.color(.searchMatch) }
            result += piece
        }
        return result
    }
}

/// The messages around a search result.
struct ChatContextView: View {
    let model: ChatViewModel
    let context: ChatScreenContext
    let rows: [ChatRow]
    let style: ChatStyle
    @State private var position: ChatRow.ID?

    var body: some View {
        VStack(spacing: 0) {
            HStack {
                Spacer()
                Button {
                    model.screen.closeContext()
                } label: {
                    style.image(.close, .title).frame(minWidth: 44, minHeight: 44)
                }
                .buttonStyle(.plain)
                .accessibilityLabel(Text(verbatim: model.texts(.actionClose)))
            }
            ScrollView {
                LazyVStack(spacing: 8) {
                    edge(ChatContextEdge(context.older, model.texts)) { model.screen.loadOlderContext() }
                    ForEach(rows) { row in
                        ChatRowView(row: row, model: model, style: style)
                            .background(style.color(isTarget(row) ? .surface : .background))
                    }
                    edge(ChatContextEdge(context.newer, model.texts)) { model.screen.loadNewerContext() }
                }
                .scrollTargetLayout()
                .padding(.horizontal, 12)
            }
            .scrollPosition(id: $position, anchor: .center)
            .onChange(of: context.target, initial: true) { position = .message(context.target) }
        }
        .background(style.color(.searchBackground))
    }

    private func isTarget(_ row: ChatRow) -> Bool { row.id == .message(context.target) }

    @ViewBuilder private func edge(_ edge: ChatContextEdge, _ load: @escaping @MainActor () -> Void) -> some View {
        if edge.isLoading { ProgressView().accessibilityLabel(Text(verbatim: model.texts(.loading))) }
        if let failure = edge.failure {
            Text(verbatim: failure).font(style.font(.caption)).foregroundStyle(style.color(.error))
        }
        if edge.canLoad {
            Button(action: load) {
                Text(verbatim: model.texts(.searchMore)).font(style.font(.button)).frame(minHeight: 44)
            }
            .buttonStyle(ChatPressStyle(style: style))
        }
    }
}
#endif
