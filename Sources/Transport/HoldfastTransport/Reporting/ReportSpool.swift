import HoldfastSystem
import HoldfastTrust

/// The reports on disk: a folder with mode 0700 and one file with mode 0600 per report, all with the same owner. All
/// methods block.
struct ReportSpool: Sendable {
    /// The contents found at startup.
    struct Contents: Sendable {
        var waiting: [ReportQueue.Entry] = []
        /// The reasons why files were invalid and removed.
        var corrupt: [String] = []
    }

    /// The result of reading a report.
    enum Found: Sendable {
        /// A report and the size of its file, in bytes.
        case report(ReportDelivery, size: Int)
        /// The file was invalid, for this reason, and was removed.
        case corrupt(String)
        case missing
    }

    private static let suffix = ".report"
    /// The maximum number of file names to read. Further ones are not read. It exceeds the limit for reports; files
    /// beyond the limit for reports are read and removed.
    private static let namesLimit = 10_000

    let folder: String
    let limits: ReportSpoolLimits

    /// Locks the folder; `nil` if another reporter uses it.
    func claim() throws(FileStore.Failure) -> FileClaim? {
        try FileStore(folder: folder, name: ".reporter.lock", limit: 0).claim()
    }

    /// Reads all reports. Invalid files, and files that a crash left incomplete, are removed and reported.
    ///
    /// Throws if the disk cannot be read, for example before a phone is first unlocked. No file then counts as damaged.
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
            // The report does not exist; only a leftover of a crash is removed.
            case .missing: try store(id).remove()
            }
        }
        return contents
    }

    /// Writes a report, replacing its previous version. If this throws, either version may be on disk.
    func save(_ delivery: ReportDelivery) throws(FileStore.Failure) {
        try store(delivery.id).save(delivery.file)
    }

    /// Reads a report. Throws if the disk cannot be read or a file cannot be removed. This may be temporary, so the
    /// report still counts as valid.
    func read(_ id: String) throws(FileStore.Failure) -> Found {
        let reason: String
        do throws(FileStore.Failure) {
            guard let bytes = try store(id).load() else { return .missing }
            do throws(JSONFault) {
                let delivery = try ReportDelivery(file: bytes)
                if delivery.id == id { return .report(delivery, size: bytes.count) }
                reason = "the file contains another report"
            } catch {
                reason = "\(error.position): \(error.reason)"
            }
        } catch {
            if error.kind == .system { throw error }
            reason = error.reason
        }
        // This fails if the folder could not be used.
        try store(id).remove()
        return .corrupt(reason)
    }

    func remove(_ id: String) throws(FileStore.Failure) {
        try store(id).remove()
    }

    // MARK: What is remembered beside the reports

    /// Returns the state of the ledger; `nil` if it is missing or invalid, because sending a report twice is better
    /// than sending none. Throws if the disk cannot be read.
    func memory() throws(FileStore.Failure) -> [UInt8]? {
        do throws(FileStore.Failure) { return try memoryStore.load() } catch {
            if error.kind == .system { throw error }
            return nil
        }
    }

    func saveMemory(_ bytes: [UInt8]) throws(FileStore.Failure) { try memoryStore.save(bytes) }

    /// Returns the random identifier of this installation, and the reason if it could not be read or written. In that
    /// case a temporary identifier is used until the process ends, because a report with an unknown identifier is
    /// better than none.
    func installation(making fresh: () -> String) -> (name: String, problem: String?) {
        let store = FileStore(folder: folder, name: "installation", limit: 64)
        do throws(FileStore.Failure) {
            if let bytes = try store.load() {
                let known = String(decoding: bytes, as: UTF8.self)
                if ReportDelivery.isID(known) { return (known, nil) }
            }
        } catch {
            // The stored identifier may be valid. Overwriting it would change it permanently.
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

    /// Returns the ID in the name of a report file, or of a leftover temporary file.
    private static func id(_ name: String) -> String? {
        var rest = name[...]
        if rest.hasPrefix("."), rest.hasSuffix(".new") { rest = rest.dropFirst().dropLast(4) }
        guard rest.hasSuffix(suffix) else { return nil }
        let id = String(rest.dropLast(suffix.count))
        return ReportDelivery.isID(id) ? id : nil
    }
}

/// The limits for reports on disk. Reports beyond a limit are dropped, with the corresponding ``ReportEvent``.
public struct ReportSpoolLimits: Hashable, Sendable {
    /// The maximum number of waiting reports. 100 by default.
    ///
    /// Further reports are dropped, so that a flood does not displace the first reports. A report about a host with
    /// fewer reports replaces the newest report about the host with the most.
    ///
    /// - Error: `ReportEvent.full`
    public var reports = 100
    /// The maximum size of all files together, in bytes. 4 MiB by default.
    ///
    /// - Error: `ReportEvent.full`
    public var bytes = 4 << 20
    /// The maximum size of a report, in bytes. 128 KiB by default; a larger report is sent without its certificates.
    ///
    /// - Error: `ReportEvent.tooLarge` if it is too large without them, too
    public var reportBytes = 128 << 10
    /// The maximum number of times that a collector may respond with a temporary failure. 25 by default. Attempts
    /// without a response do not count, because the network may be unavailable for longer.
    ///
    /// - Error: `ReportEvent.expired`
    public var attempts = 25
    /// The maximum age of a report, in seconds. One week by default. A report without any attempt is tried once,
    /// however old it is.
    ///
    /// - Error: `ReportEvent.expired`
    public var age: Int64 = 7 * 86_400

    /// Creates the default limits.
    public init() {}
}
