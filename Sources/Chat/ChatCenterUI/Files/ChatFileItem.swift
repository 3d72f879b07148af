import ChatCenter
import ChatCenterCore

/// Names a file by its message and its place in it.
struct ChatFileKey: Hashable, Sendable {
    var message: MessageID
    var index: Int
}

/// A file of a message, ready to be drawn.
struct ChatFileItem: Hashable, Sendable, Identifiable {
    /// The kind of a file, which decides how it is drawn.
    enum Kind: Hashable, Sendable {
        case picture, voice, other
    }

    /// The state of the file and of its upload.
    enum State: Hashable, Sendable {
        /// The file waits for its upload, or the server processes it.
        case pending
        /// The file is being uploaded; the share that was sent, if the size is known.
        case uploading(Double?)
        /// The file can be downloaded.
        case ready
        /// The file cannot be used.
        case unusable
    }

    var id: ChatFileKey
    var kind: Kind
    var name: String
    /// The size and, for a voice message, the duration.
    var details: String
    var state: State
    /// The state in words; `nil` for a file that is ready.
    var status: String?
    /// The duration of a voice message in milliseconds, if the sender stated it.
    var duration: Int64?
    /// The size in bytes, if it is known.
    var size: Int64?
    /// The file as a part of a sentence for VoiceOver.
    var spoken: String
    var file: ChatScreenMessage.File

    init(_ file: ChatScreenMessage.File, at index: Int, of message: MessageID, texts: ChatUITexts) {
        self.file = file
        id = ChatFileKey(message: message, index: index)
        let type = file.type?.lowercased() ?? ""
        kind = file.voice != nil ? .voice : Self.pictures.contains(type) ? .picture : .other
        let plain = file.name.map(ChatPlainText.line) ?? ""
        name =
            switch kind {
            case .voice: texts(.messageVoice)
            case .picture where plain.isEmpty: texts(.messagePhoto)
            case .picture, .other: plain
            }
        size = file.size
        duration = file.voice?.durationMilliseconds
        details = [duration.map { texts.format.duration($0) }, file.size.map { texts.format.size($0) }]
            .compactMap { $0 }.joined(separator: " · ")
        switch file.state {
        case .pending:
            state = .pending
            status = texts(.messagePendingFile)
        case .uploading(let sent, let total):
            state = .uploading(Self.share(sent, of: total))
            status = texts(.messageUploading)
        case .ready:
            state = file.reference == nil ? .pending : .ready
        case .failed(_, let message):
            state = .unusable
            status = message.map(ChatPlainText.line) ?? texts(.unexpectedDuringFile)
        case .expired:
            state = .unusable
            status = texts(.messageExpiredFile)
        }
        spoken = texts.spoken([name, details, status])
    }

    /// The types of pictures that are shown in the message. Other types, such as SVG, are files like any other.
    private static let pictures: Set<String> = [
        "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/heic", "image/heif", "image/avif",
    ]

    private static func share(_ sent: Int64, of total: Int64?) -> Double? {
        guard let total, total > 0 else { return nil }
        return min(max(Double(sent) / Double(total), 0), 1)
    }
}

/// The downloads of a view.
struct ChatDownloads: Hashable, Sendable {
    /// The state of a download.
    enum State: Hashable, Sendable {
        /// The file is being downloaded; the share that arrived, if the size is known.
        case loading(Double?)
        /// The download failed, with a reason for the user.
        case failed(String)
    }

    private var states: [ChatFileKey: State] = [:]
    /// The number of downloads at a time. Further files wait for a tap.
    static let most = 8

    /// The state of a file's download; `nil` if it is not being downloaded.
    subscript(key: ChatFileKey) -> State? { states[key] }

    /// Begins a download. Returns `false` if the file is being downloaded already, or too many others are.
    mutating func begin(_ key: ChatFileKey) -> Bool {
        if case .loading = states[key] { return false }
        let running = states.values.count { if case .loading = $0 { true } else { false } }
        guard running < Self.most else { return false }
        states = states.filter { if case .loading = $0.value { true } else { false } }
        states[key] = .loading(nil)
        return true
    }

    /// Records the progress of a download.
    mutating func advance(_ key: ChatFileKey, to share: Double?) {
        guard case .loading = states[key] else { return }
        states[key] = .loading(share.map { min(max($0, 0), 1) })
    }

    /// Ends a download, with a reason if it failed.
    mutating func end(_ key: ChatFileKey, failure: String? = nil) {
        guard states[key] != nil else { return }
        states[key] = failure.map { .failed($0) }
    }
}

/// The bytes of pictures that the views show. The least recently used ones are dropped first.
struct ChatPictureCache<Key: Hashable & Sendable, Bytes: Sendable>: Sendable {
    private var entries: [Key: (bytes: Bytes, size: Int, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int
    /// The number of bytes that are kept.
    private(set) var size = 0

    /// Creates a cache for this number of bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// Returns the bytes of a picture.
    mutating func value(_ key: Key) -> Bytes? {
        guard let entry = entries[key] else { return nil }
        uses &+= 1
        entries[key]?.use = uses
        return entry.bytes
    }

    /// Keeps a picture. A picture that is larger than the cache is not kept.
    mutating func keep(_ bytes: Bytes, size count: Int, for key: Key) {
        if let old = entries.removeValue(forKey: key) { size -= old.size }
        guard count <= capacity else { return }
        while size + count > capacity, let oldest = entries.min(by: { $0.value.use < $1.value.use }) {
            size -= oldest.value.size
            entries[oldest.key] = nil
        }
        uses &+= 1
        entries[key] = (bytes, count, uses)
        size += count
    }
}
