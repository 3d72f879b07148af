import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport

// Uploads that continue after a lost connection or the end of the process (draft-ietf-httpbis-resumable-upload, in the
// variant of Sources/Servers/ChatDevServer/Documentation.docc/Chat-Protocol.md). The request body is the file itself;
// `Content-Disposition` contains its name.
extension FileTransfers {
    /// The minimum size of an upload in parts. For smaller files, asking whether the server supports it costs too much.
    static let partsFrom: Int64 = 1 << 20

    /// Uploads a file in parts. Returns `nil`, without sending a byte, if it is too small or the server does not
    /// support it.
    func uploadInParts(
        _ id: TransferID, _ plan: UploadPlan, until end: ContinuousClock.Instant
    ) async throws -> RemoteFile? {
        guard resumption.isPossible, let size = await Self.size(of: plan.file), size >= Self.partsFrom else {
            return nil
        }
        do {
            return try await parts(id, plan, size, from: Self.token(plan.resume), until: end)
        } catch let error as TransferError {
            switch error.code {
            case .resumptionNotSupported:
                // A refusal for another reason does not show whether the server supports the protocol.
                if error.response.map({ Self.isFinal($0.status) }) ?? true { resumption.refuse() }
                return nil
            case .uploadGone, .tokenRefused,
                .fileChanged where plan.resume != nil:
                // The server no longer knows the upload, or the token belongs to another file: starts again, once.
                return try await parts(id, plan, size, from: nil, until: end)
            case .unexpectedStatus:
                guard let response = error.response else { throw error }
                throw self.error(response, error.body)
            case .tooLarge: throw FileTransferError(.tooLarge, error.reason)
            case .fileUnusable:
                throw FileTransferError(.unreadable, "The copy of the file can no longer be read.")
            default: throw error
            }
        }
    }

    private func parts(
        _ id: TransferID, _ plan: UploadPlan, _ size: Int64, from token: ResumeToken?,
        until end: ContinuousClock.Instant
    ) async throws -> RemoteFile {
        var request = addresses.upload(plan)
        request.headerFields[.contentType] = MultipartForm.mediaType(plan.file.type)
        request.headerFields[.contentDisposition] =
            "attachment; filename*=UTF-8''" + ChatDialect.percentEncoded(plan.file.name)
        let progress = ProgressFilter(total: size) { reporter.sink(.progress(id, $0, of: size)) }
        let options = ResumableUploadOptions(
            idleTimeout: timeouts.uploadIdle, totalTimeout: Self.rest(until: end),
            maximumAnswerBytes: Self.answerLimit, onProgress: { progress.report(min(max(0, $0.sent), size)) },
            onToken: { [reporter] token in
                guard let text = Self.text(of: token) else { return }
                reporter.sink(.checkpoint(id, UploadCheckpoint(text)))
            })
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        let result = try await client.uploadResumably(
            request, from: plan.file.path, resuming: token, options: options)
        guard let answer = result.answer else {
            throw FileTransferError(
                .answerLost, "The file store has the whole file, but its response with the file's name was lost.")
        }
        reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
        return try Self.file(answer.body, plan.file, size: size)
    }

    private static func size(of file: LocalFile) async -> Int64? {
        await Blocking.run {
            let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
            return (facts?[.size] as? NSNumber)?.int64Value
        }
    }

    /// Returns whether a response with this status means that the server never supports uploads in parts.
    private static func isFinal(_ status: HTTPResponse.Status) -> Bool {
        switch status.code {
        case 401, 403, 408, 421, 429, 500, 502...599: false
        default: true
        }
    }

    // MARK: The token in the core's format

    private static func token(_ kept: UploadCheckpoint?) -> ResumeToken? {
        // A token that cannot be read counts as missing: the upload starts again.
        kept.flatMap { try? JSONDecoder().decode(ResumeToken.self, from: Data($0.text.utf8)) }
    }

    private static func text(of token: ResumeToken) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(token)).map { String(decoding: $0, as: UTF8.self) }
    }
}
