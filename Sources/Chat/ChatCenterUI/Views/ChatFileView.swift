#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import SwiftUI

/// A file of a message, with its progress and what the user can do with it.
struct ChatFileView: View {
    let item: ChatFileItem
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            switch item.kind {
            case .voice where item.state == .ready: ChatVoiceView(item: item, model: model, style: style)
            case .picture where item.state == .ready:
                ChatRemotePicture(key: item.file.reference ?? "", longestSide: 1024) {
                    await model.picture(item)
                } placeholder: {
                    EmptyView()
                }
                .frame(maxWidth: 260, maxHeight: 260)
                .accessibilityHidden(true)
                row
            case .voice, .picture, .other: row
            }
            if let status = item.status {
                Text(verbatim: status)
                    .font(style.font(.caption))
                    .foregroundStyle(style.color(item.state == .unusable ? .error : .textSecondary))
            }
            progress
        }
    }

    private var row: some View {
        Button {
            model.open(item)
        } label: {
            HStack(spacing: 8) {
                style.image(.file, .link)
                VStack(alignment: .leading, spacing: 2) {
                    Text(verbatim: item.name).font(style.font(.title)).lineLimit(2)
                    if !item.details.isEmpty { Text(verbatim: item.details).font(style.font(.caption)) }
                }
            }
            .frame(minHeight: 44)
        }
        .buttonStyle(.plain)
        .disabled(item.state != .ready)
        .accessibilityLabel(Text(verbatim: item.spoken))
    }

    @ViewBuilder private var progress: some View {
        if case .uploading(let share) = item.state {
            HStack {
                ProgressView(value: share)
                cancel { model.screen.delete(item.id.message) }
            }
        }
        switch model.downloads[item.id] {
        case .loading(let share):
            HStack {
                ProgressView(value: share)
                if item.kind != .voice { cancel { model.open(item) } }
            }
        case .failed(let reason):
            Text(verbatim: reason).font(style.font(.caption)).foregroundStyle(style.color(.error))
        case nil: EmptyView()
        }
    }

    private func cancel(_ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) {
            style.image(.close, .textSecondary).frame(minWidth: 44, minHeight: 44)
        }
        .buttonStyle(.plain)
        .accessibilityLabel(Text(verbatim: model.texts(.actionCancel)))
    }
}

/// The player of a voice message.
struct ChatVoiceView: View {
    let item: ChatFileItem
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        let isPlaying = model.playback.isPlaying(item.id)
        HStack(spacing: 8) {
            Button {
                model.togglePlayback(item)
            } label: {
                if model.playback.isLoading(item.id) {
                    ProgressView().frame(minWidth: 44, minHeight: 44)
                } else {
                    style.image(isPlaying ? .pause : .play, .link).frame(minWidth: 44, minHeight: 44)
                }
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: model.texts(isPlaying ? .messageVoicePause : .messageVoicePlay)))
            Slider(
                value: Binding { @MainActor in
                    model.playback.share(of: item.id) ?? 0
                } set: { @MainActor in
                    model.seek(item, to: $0)
                }, in: 0...1
            )
            .tint(style.color(.audioProgress))
            .background { Capsule().fill(style.color(.audioTrack)).frame(height: 4) }
            .disabled(model.playback.share(of: item.id) == nil)
            .accessibilityLabel(Text(verbatim: model.texts(.messageVoiceSeek)))
            Text(verbatim: item.details).font(style.font(.caption))
        }
        .task(id: isPlaying) {
            // The player has no events; a quarter of a second is precise enough for the slider.
            while isPlaying, !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(250))  // reason: the interval between two positions
                model.playbackTick()
            }
        }
    }
}
#endif
