#if canImport(SwiftUI)
import ChatCenter
import ChatCenterCore
import Foundation
import PhotosUI
import SwiftUI
import UniformTypeIdentifiers

/// The input field with its buttons.
struct ChatComposerView: View {
    let model: ChatViewModel
    let style: ChatStyle
    @FocusState private var isFocused: Bool
    @State private var choosesFile = false
    @State private var photo: PhotosPickerItem?

    var body: some View {
        let item = model.composer
        VStack(alignment: .leading, spacing: 6) {
            if let quote = item.quote { quoteBar(quote) }
            if let error = model.sendError { errorBar(error) }
            if let blocked = item.blocked {
                Text(verbatim: blocked)
                    .font(style.font(.body))
                    .foregroundStyle(style.color(.textSecondary))
                    .frame(maxWidth: .infinity, minHeight: 44)
            } else {
                field(item)
            }
        }
        .padding(.horizontal, 12)
        .padding(.vertical, 6)
        .background(style.color(.surface))
        .fileImporter(isPresented: $choosesFile, allowedContentTypes: fileTypes) { result in
            if case .success(let place) = result {
                Task { await attach(place) }  // reason: the SDK copies the file meanwhile
            }
        }
        .onChange(of: photo) {
            guard let chosen = photo else { return }
            photo = nil
            Task { await attach(chosen) }  // reason: the photo is loaded meanwhile
        }
    }

    private func field(_ item: ChatComposerItem) -> some View {
        HStack(alignment: .bottom, spacing: 8) {
            if model.recording.isRecording {
                ChatRecordingView(model: model, style: style)
            } else {
                if item.showsAttach { attachMenu }
                TextField(
                    item.placeholder,
                    text: Binding { @MainActor in
                        model.draft.text
                    } set: { @MainActor in
                        model.edit($0)
                    }, prompt: Text(verbatim: item.placeholder).foregroundStyle(style.color(.placeholder)),
                    axis: .vertical
                )
                .font(style.font(.input))
                .foregroundStyle(style.color(.inputText))
                .lineLimit(1...6)
                .focused($isFocused)
                .padding(.horizontal, 12)
                .frame(minHeight: 44)
                .background(style.color(.input), in: RoundedRectangle(cornerRadius: 12))
                .overlay { RoundedRectangle(cornerRadius: 12).stroke(style.color(.inputBorder), lineWidth: 1) }
                .accessibilityHint(Text(verbatim: item.tooLong ?? item.remainingSpoken ?? ""))
                if let remaining = item.remaining {
                    Text(verbatim: remaining)
                        .font(style.font(.caption))
                        .foregroundStyle(style.color(item.tooLong == nil ? .textSecondary : .error))
                        .accessibilityHidden(true)
                }
                if item.showsRecord { recordButton } else { sendButton(item) }
            }
        }
    }

    private func sendButton(_ item: ChatComposerItem) -> some View {
        Button {
            isFocused = true
            Task { await model.send() }  // reason: the message is written to disk meanwhile
        } label: {
            style.image(.send, item.canSend ? .accent : .disabled).frame(minWidth: 44, minHeight: 44)
        }
        .buttonStyle(.plain)
        .disabled(!item.canSend)
        .keyboardShortcut(.return, modifiers: .command)
        .accessibilityLabel(Text(verbatim: model.texts(.inputSend)))
    }

    private var recordButton: some View {
        Button {
            Task { await model.beginRecording() }  // reason: the user is asked for the microphone meanwhile
        } label: {
            style.image(.record, .accent).frame(minWidth: 44, minHeight: 44)
        }
        .buttonStyle(.plain)
        .accessibilityLabel(Text(verbatim: model.texts(.inputRecord)))
    }

    private var attachMenu: some View {
        HStack(spacing: 0) {
            PhotosPicker(selection: $photo, matching: .images) {
                Image(systemName: "photo").foregroundStyle(style.color(.accent)).frame(minWidth: 44, minHeight: 44)
            }
            .accessibilityLabel(Text(verbatim: model.texts(.attachmentsPhoto)))
            Button {
                choosesFile = true
            } label: {
                style.image(.attach, .accent).frame(minWidth: 44, minHeight: 44)
            }
            .accessibilityLabel(Text(verbatim: model.texts(.inputAttach)))
        }
        .buttonStyle(.plain)
    }

    private func quoteBar(_ quote: ChatQuoteItem) -> some View {
        HStack {
            ChatQuoteView(quote: quote, model: model, style: style)
            Spacer()
            Button {
                model.screen.quote(nil)
            } label: {
                style.image(.close, .textSecondary).frame(minWidth: 44, minHeight: 44)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: model.texts(.inputQuoteRemove)))
        }
    }

    private func errorBar(_ error: String) -> some View {
        HStack {
            Text(verbatim: error).font(style.font(.caption)).foregroundStyle(style.color(.error))
            Spacer()
            Button {
                model.sendError = nil
            } label: {
                style.image(.close, .error).frame(minWidth: 44, minHeight: 44)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: model.texts(.actionClose)))
        }
    }

    // MARK: Files

    /// The types that the server accepts. An extension that the system does not know cannot be offered.
    private var fileTypes: [UTType] {
        let types = model.screen.attachmentLimits.fileExtensions.compactMap { UTType(filenameExtension: $0) }
        return types.isEmpty ? [.item] : types
    }

    private func attach(_ place: URL) async {
        let isScoped = place.startAccessingSecurityScopedResource()
        defer { if isScoped { place.stopAccessingSecurityScopedResource() } }
        let size = try? place.resourceValues(forKeys: [.fileSizeKey]).fileSize
        let type = UTType(filenameExtension: place.pathExtension)?.preferredMIMEType
        await model.attach(
            ChatOutgoingFile(place: place, name: place.lastPathComponent, type: type ?? "application/octet-stream"),
            size: size.map { Int64($0) })
    }

    private func attach(_ photo: PhotosPickerItem) async {
        let type = photo.supportedContentTypes.first
        guard let bytes = try? await photo.loadTransferable(type: Data.self) else {
            model.sendError = model.texts(.duringFile)
            return
        }
        await model.attach(
            bytes, name: "photo." + (type?.preferredFilenameExtension ?? "jpeg"),
            type: type?.preferredMIMEType ?? "image/jpeg")
    }
}

/// The recording of a voice message: its duration, and the buttons that end it.
struct ChatRecordingView: View {
    let model: ChatViewModel
    let style: ChatStyle

    var body: some View {
        TimelineView(.periodic(from: .now, by: 0.5)) { context in
            let now = Int64(context.date.timeIntervalSince1970 * 1000)
            HStack {
                button(.close, .error, .inputCancelRecording) { model.cancelRecording() }
                Image(systemName: "circle.fill").foregroundStyle(style.color(.error)).accessibilityHidden(true)
                Text(verbatim: model.texts.format.duration(model.recording.elapsed(now: now) ?? 0))
                    .font(style.font(.body))
                    .foregroundStyle(style.color(.text))
                Spacer()
                button(.stop, .accent, .inputStopRecording) {
                    Task { await model.finishRecording() }  // reason: the SDK copies the file meanwhile
                }
            }
            .onChange(of: context.date) {
                Task { await model.recordingTick(now: now) }  // reason: the SDK copies the file meanwhile
            }
        }
    }

    private func button(
        _ image: ChatPalette.ImageName, _ color: ChatPalette.ColorName, _ label: ChatTextKey,
        _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(action: action) { style.image(image, color).frame(minWidth: 44, minHeight: 44) }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: model.texts(label)))
    }
}
#endif
