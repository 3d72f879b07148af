import HoldfastSystem
import HoldfastTrust

/// The reports on the disk: a folder of mode 0700 with a file of mode 0600 for each, all of one owner. Its calls block.
struct ReportSpool: Sendable {
    /// What was found at the start.
    struct Contents: Sendable {
        var waiting: [ReportQueue.Entry] = []
        /// Files that are none, with the reason; they are gone.
        var corrupt: [String] = []
    }

    /// What is found in a report's place.
    enum Found: Sendable {
        /// A report, in a file of so many bytes.
        case report(ReportDelivery, size: Int)
        /// Something that is none, for this reason; it is gone.
        case corrupt(String)
        case missing
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

    /// Reads everything. What is no report is removed, and told; so is what a crash left half-written. Throws where the disk does
    /// not say what is there, as before a phone was unlocked for the first time: then nothing is taken for damaged.
    func load() throws(FileStore.Failure) -> Contents {
        var contents = Contents()
        let names = try FileStore.names(in: folder, limit: Self.namesLimit) {
            $0.hasSuffix(Self.suffix) || $0.hasSuffix(".new")
        }
        for name in names {
            guard let id = Self.id(name) else { continue }
            switch try read(id) {
            case .report(let delivery, let size):
                if !contents.waiting.contains(where: { $0.id == id }) {
                    contents.waiting.append(ReportQueue.Entry(delivery, size: size))
                }
            case .corrupt(let reason): contents.corrupt.append("\(id): \(reason)")
            // The file itself where there is none: then what a crash left of it alone is removed.
            case .missing: try store(id).remove()
            }
        }
        return contents
    }

    /// Keeps a report, in place of the one before it. Where that throws, either of them may be on the disk.
    func save(_ delivery: ReportDelivery) throws(FileStore.Failure) {
        try store(delivery.id).save(delivery.file)
    }

    /// Reads a report. Throws where the disk does not say what is there, or lets nothing be removed: that may pass, and the report
    /// is still one.
    func read(_ id: String) throws(FileStore.Failure) -> Found {
        let reason: String
        do throws(FileStore.Failure) {
            guard let bytes = try store(id).load() else { return .missing }
            do throws(JSONFault) {
                let delivery = try ReportDelivery(file: bytes)
                if delivery.id == id { return .report(delivery, size: bytes.count) }
                reason = "the file is another's"
            } catch {
                reason = "\(error.position): \(error.reason)"
            }
        } catch {
            if error.kind == .system { throw error }
            reason = error.reason
        }
        // Fails where it was the folder that could not be used.
        try store(id).remove()
        return .corrupt(reason)
    }

    func remove(_ id: String) throws(FileStore.Failure) {
        try store(id).remove()
    }

    // MARK: What is remembered beside the reports

    /// The state of the ledger; `nil` if there is none, or what is there cannot be one: better a report twice than none at all.
    /// Throws where the disk does not say.
    func memory() throws(FileStore.Failure) -> [UInt8]? {
        do throws(FileStore.Failure) { return try memoryStore.load() } catch {
            if error.kind == .system { throw error }
            return nil
        }
    }

    func saveMemory(_ bytes: [UInt8]) throws(FileStore.Failure) { try memoryStore.save(bytes) }

    /// The random name of this installation, made where there is none; and why it could not be read or written. Then one is made
    /// that lasts as long as the process: a report by a stranger is better than none.
    func installation(making fresh: () -> String) -> (name: String, problem: String?) {
        let store = FileStore(folder: folder, name: "installation", limit: 64)
        do throws(FileStore.Failure) {
            if let bytes = try store.load() {
                let known = String(decoding: bytes, as: UTF8.self)
                if ReportDelivery.isID(known) { return (known, nil) }
            }
        } catch {
            // It may well be sound: another name in its place would be one for ever.
            if error.kind == .system { return (fresh(), error.reason) }
        }
        let name = fresh()
        do throws(FileStore.Failure) { try store.save(Array(name.utf8)) } catch { return (name, error.reason) }
        return (name, nil)
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
