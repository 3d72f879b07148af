import ChatCenterCore

extension PageRenderer {
    /// The media types of pictures that the server sends for display. Others, such as SVG, are only downloaded.
    static let pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]

    /// Appends the files of a row.
    func files(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        html.element("div", ["class": "files"]) { html in
            for (index, file) in row.files.enumerated() {
                html.element("div", ["class": "file", "data-state": Self.name(file.state)]) { html in
                    self.file(&html, file, path: request.path("files/\(row.id.text.pathSegment)/\(index)"))
                }
            }
        }
    }

    private func file(_ html: inout HTMLWriter, _ file: ChatScreenMessage.File, path: String) {
        let type = (file.type ?? "").prefix { $0 != ";" }.lowercased()
        let isVoice = file.voice != nil || type == "audio" || type.hasPrefix("audio/")
        let name = file.name ?? texts(isVoice ? "message.voice_title" : "message.photo_title")
        let isReady = file.state == .ready && file.reference != nil
        if isReady, Self.pictureTypes.contains(type) {
            html.element("a", ["class": "thumb", "href": path + "?inline", "target": "_blank", "rel": "noopener"]) {
                $0.open(
                    "img",
                    ["src": path + "?inline", "alt": SafeText.cleaned(name), "loading": "lazy", "decoding": "async"])
            }
        } else if isReady, isVoice {
            html.element(
                "audio",
                [
                    "controls": "", "preload": "none", "src": path + "?inline",
                    "data-ms": file.voice?.durationMilliseconds.map { String($0) }, "data-name": SafeText.cleaned(name),
                ])
        }
        if isReady {
            html.element("a", ["class": "name", "href": path, "download": ""]) { $0.isolated(name) }
        } else {
            html.isolated(name, class: "name")
        }
        if let size = file.size { html.element("span", ["class": "size"], text: size.byteCount) }
        switch file.state {
        case .ready: break
        case .pending: html.element("span", ["class": "note"], text: texts("message.pending_file"))
        case .uploading(let sent, let total):
            html.element(
                "progress",
                [
                    "aria-label": texts("message.status.uploading"), "value": total == nil ? nil : String(sent),
                    "max": total.map { String($0) },
                ])
        case .failed(let code, let message):
            html.element(
                "span", ["class": "failure", "dir": "auto"], text: message ?? code ?? texts("errors.during_load_file"))
        case .expired: html.element("span", ["class": "note"], text: texts("message.expired_file"))
        }
    }

    private static func name(_ state: ChatScreenMessage.File.State) -> String {
        switch state {
        case .pending: "pending"
        case .uploading: "uploading"
        case .ready: "ready"
        case .failed: "failed"
        case .expired: "expired"
        }
    }
}
