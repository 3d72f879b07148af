import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A file that a message waits for, as a row.
struct AttachmentRow: FetchableRecord {
    private let name: String
    private let record: Data

    /// Paths inside of `folder` are kept relative to it: an app's container moves from one run to the next.
    init(_ job: AttachmentJob, in folder: UserFolder, _ codec: RowCodec) throws {
        name = codec.name(job.id.text)
        var job = job
        let prefix = folder.files.path + "/"
        if job.file.path.hasPrefix(prefix) { job.file.path = String(job.file.path.dropFirst(prefix.count)) }
        record = try codec.seal(job.record.bytes, at: RowPlace(table: "attachment", names: [name]))
    }

    init(row: Row) {
        name = row["id"]
        record = row["record"]
    }

    func job(in folder: UserFolder, _ codec: RowCodec) throws -> AttachmentJob {
        let bytes = try codec.open(record, at: RowPlace(table: "attachment", names: [name]))
        let value = try JSONValue(parsing: bytes, limits: .answer)
        guard var job = AttachmentJob(record: value) else { throw DamagedRow() }
        if !job.file.path.hasPrefix("/") { job.file.path = folder.files.path + "/" + job.file.path }
        return job
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO attachment (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            arguments: [name, record])
    }
}
