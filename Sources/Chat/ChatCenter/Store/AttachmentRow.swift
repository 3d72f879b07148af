import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// A file that a message waits for, as a row.
struct AttachmentRow: FetchableRecord {
    private let name: String
    private let record: Data

    /// The path is kept relative to the copies in `folder`: an app's container moves from one run to the next. Throws for
    /// a file that is not one of them.
    init(_ job: AttachmentJob, in folder: UserFolder, _ codec: RowCodec) throws {
        name = codec.name(job.id.text)
        var job = job
        let prefix = folder.files.path + "/"
        guard job.file.path.hasPrefix(prefix) else { throw CocoaError(.fileWriteInvalidFileName) }
        job.file.path = String(job.file.path.dropFirst(prefix.count))
        guard UserFolder.isFileName(job.file.path) else { throw CocoaError(.fileWriteInvalidFileName) }
        record = try codec.seal(job.record.bytes, at: RowPlace(table: "attachment", names: [name]))
    }

    init(row: Row) throws {
        name = try row.decode(forColumn: "id")
        record = try row.decode(forColumn: "record")
    }

    func job(in folder: UserFolder, _ codec: RowCodec) throws -> AttachmentJob {
        let bytes = try codec.open(record, at: RowPlace(table: "attachment", names: [name]))
        let value = try JSONValue(parsing: bytes, limits: .answer)
        // A path that leads elsewhere would send or delete any file that the app can reach.
        guard var job = AttachmentJob(record: value), UserFolder.isFileName(job.file.path) else { throw DamagedRow() }
        job.file.path = folder.files.path + "/" + job.file.path
        return job
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO attachment (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            arguments: [name, record])
    }
}
