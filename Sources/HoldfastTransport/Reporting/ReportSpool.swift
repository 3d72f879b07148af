import HoldfastTrust

/// The reports on the disk: a folder of mode 0700 with a file of mode 0600 for each, all of one owner. Its calls block.
struct ReportSpool: Sendable {
    /// What was found at the start.
    struct Contents: Sendable {
        var waiting: [(entry: ReportQueue.Entry, due: Timestamp)] = []
        /// Files that are none, with the reason; they are gone.
        var corrupt: [String] = []
    }

    private static let suffix = ".report"
    /// More names than the limit on reports: files beyond it are looked at, and removed.
    private static let namesLimit = 10_000

    let folder: String
    let limits: ReportSpoolLimits

    /// Claims the folder; `nil` if somebody else sends from it.
    func claim() throws(FileStore.Failure) -> FileClaim? {
        try FileStore(folder: folder, name: ".reporter.lock", limit: 0).claim()
    }

    /// Reads everything. What cannot be read is removed, and told; so is what a crash left half-written.
    func load() throws(FileStore.Failure) -> Contents {
        var contents = Contents()
        let names = try FileStore.names(in: folder, limit: Self.namesLimit) {
            $0.hasSuffix(Self.suffix) || $0.hasSuffix(".new")
        }
        for name in names {
            guard let id = Self.id(name) else { continue }
            // The file itself where there is none: then what a crash left of it alone is removed.
            do throws(FileStore.Failure) {
                guard let bytes = try store(id).load() else {
                    try store(id).remove()
                    continue
                }
                let delivery: ReportDelivery
                do throws(JSONFault) {
                    delivery = try ReportDelivery(file: bytes)
                } catch {
                    contents.corrupt.append("\(id): \(error.position): \(error.reason)")
                    try store(id).remove()
                    continue
                }
                if delivery.id == id {
                    if !contents.waiting.contains(where: { $0.entry.id == id }) {
                        contents.waiting.append((ReportQueue.Entry(delivery, size: bytes.count), delivery.due))
                    }
                } else {
                    contents.corrupt.append("\(id): the file is another's")
                    try store(id).remove()
                }
            } catch {
                contents.corrupt.append("\(id): \(error.reason)")
                try? store(id).remove()
            }
        }
        return contents
    }

    /// Keeps a report: afterwards it is on the disk, or nothing of it is.
    func save(_ delivery: ReportDelivery) throws(FileStore.Failure) {
        try store(delivery.id).save(delivery.file)
    }

    /// Reads a report again; `nil` if the file is gone or is none any more.
    func read(_ id: String) -> ReportDelivery? {
        guard let bytes = try? store(id).load() else { return nil }
        return try? ReportDelivery(file: bytes)
    }

    func remove(_ id: String) throws(FileStore.Failure) {
        try store(id).remove()
    }

    // MARK: What is remembered beside the reports

    /// The state of the ledger; `nil` if there is none.
    func memory() throws(FileStore.Failure) -> [UInt8]? { try memoryStore.load() }

    func saveMemory(_ bytes: [UInt8]) throws(FileStore.Failure) { try memoryStore.save(bytes) }

    /// The random name of this installation, made where there is none.
    func installation(making fresh: () -> String) throws(FileStore.Failure) -> String {
        let store = FileStore(folder: folder, name: "installation", limit: 64)
        if let known = (try? store.load()).map({ String(decoding: $0, as: UTF8.self) }), ReportDelivery.isID(known) {
            return known
        }
        let name = fresh()
        try store.save(Array(name.utf8))
        return name
    }

    private var memoryStore: FileStore { FileStore(folder: folder, name: "ledger", limit: 4 << 20) }

    private func store(_ id: String) -> FileStore {
        FileStore(folder: folder, name: id + Self.suffix, limit: ReportDelivery.fileLimit(body: limits.reportBytes))
    }

    /// The id in the name of a report, or of what a crash left of one.
    private static func id(_ name: String) -> String? {
        var rest = name[...]
        if rest.hasPrefix("."), rest.hasSuffix(".new") { rest = rest.dropFirst().dropLast(4) }
        guard rest.hasSuffix(suffix) else { return nil }
        let id = String(rest.dropLast(suffix.count))
        return ReportDelivery.isID(id) ? id : nil
    }
}
