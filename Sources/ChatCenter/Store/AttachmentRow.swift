import ChatCenterCore
import Foundation
import GRDB

/// A file that a message waits for, as a row.
struct AttachmentRow: FetchableRecord {
    private struct Record: Codable {
        var path: String
        var name: String
        var type: String
        var size: Int64
        var isUploading: Bool
        var checkpoint: String?
    }

    private let id: String
    private let message: String
    private let record: Data

    /// Paths inside of `folder` are kept relative to it: an app's container moves from one run to the next.
    init(_ job: AttachmentJob, in folder: UserFolder) throws {
        id = job.id.text
        message = job.message.text
        let prefix = folder.files.path + "/"
        let path = job.file.path.hasPrefix(prefix) ? String(job.file.path.dropFirst(prefix.count)) : job.file.path
        let record = Record(
            path: path, name: job.file.name, type: job.file.type, size: job.file.size,
            isUploading: job.state == .uploading, checkpoint: job.checkpoint?.text)
        self.record = try StateRecord.encoder().encode(record)
    }

    init(row: Row) {
        id = row["id"]
        message = row["message"]
        record = row["job"]
    }

    func job(in folder: UserFolder) throws -> AttachmentJob {
        let record = try JSONDecoder().decode(Record.self, from: record)
        let path = record.path.hasPrefix("/") ? record.path : folder.files.path + "/" + record.path
        return AttachmentJob(
            id: TransferID(id), message: MessageID(message),
            file: LocalFile(path: path, name: record.name, type: record.type, size: record.size),
            state: record.isUploading ? .uploading : .planned,
            checkpoint: record.checkpoint.map { ResumeToken($0) })
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO attachment (id, message, job) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET message = excluded.message, job = excluded.job
                """, arguments: [id, message, record])
    }
}
