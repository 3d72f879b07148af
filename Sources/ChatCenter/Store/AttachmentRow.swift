import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A file that a message waits for, as a row.
struct AttachmentRow: FetchableRecord {
    private let id: String
    private let record: Data

    /// Paths inside of `folder` are kept relative to it: an app's container moves from one run to the next.
    init(_ job: AttachmentJob, in folder: UserFolder) {
        id = job.id.text
        var job = job
        let prefix = folder.files.path + "/"
        if job.file.path.hasPrefix(prefix) { job.file.path = String(job.file.path.dropFirst(prefix.count)) }
        record = Data(job.record.bytes)
    }

    init(row: Row) {
        id = row["id"]
        record = row["record"]
    }

    func job(in folder: UserFolder) throws -> AttachmentJob {
        let value = try JSONValue(parsing: Array(record), limits: .answer)
        guard var job = AttachmentJob(record: value) else { throw DamagedRow() }
        if !job.file.path.hasPrefix("/") { job.file.path = folder.files.path + "/" + job.file.path }
        return job
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO attachment (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            arguments: [id, record])
    }
}
