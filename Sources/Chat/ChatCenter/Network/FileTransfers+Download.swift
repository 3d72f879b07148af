import HoldfastBase
import ChatCenterCore
import Crypto
import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Synchronization

extension FileTransfers {
    /// Downloads a file into `folder`.
    ///
    /// An interrupted download resumes next time: the partial file stays beside the copy. In an encrypted folder no
    /// byte may be stored unencrypted, so an interrupted download is deleted and starts again.
    ///
    /// - Parameter folder: Returns the folder of the user's files; `nil` after a logout, and then the file is not kept.
    func download(
        _ id: TransferID, _ plan: DownloadPlan, into folder: () -> UserFolder?
    ) async throws -> RemoteFile {
        guard let place = folder() else { throw CancellationError() }
        do {
            let file = try await fetch(id, plan, into: place)
            guard folder() != nil else {
                await Blocking.run { place.discardLateFile(URL(fileURLWithPath: file.reference)) }
                throw CancellationError()
            }
            return file
        } catch {
            if folder() == nil {
                let late = place.files.appendingPathComponent(Self.name(of: plan, in: place))
                await Blocking.run { place.discardLateFile(late) }
            }
            throw error
        }
    }

    private func fetch(_ id: TransferID, _ plan: DownloadPlan, into folder: UserFolder) async throws -> RemoteFile {
        let request = try addresses.download(plan)
        do {
            try await Blocking.run { try folder.prepareFiles() }
        } catch {
            throw FileTransferError(
                .unwritable, "The file cannot be stored: the storage folder cannot be used. \(error)")
        }
        let name = Self.name(of: plan, in: folder)
        guard folder.keys == nil else {
            return try await following(request) { try await downloadSealed(id, $0, $1, folder, as: name) }
        }
        do {
            let copy = folder.files.appendingPathComponent(name)
            return try await following(request) { try await resume(id, $0, $1, copy) }
        } catch let error as TransferError where error.code == .alreadyUnderway {
            // Another task is downloading the same file. This download uses its own partial file.
            let copy = folder.files.appendingPathComponent(UUID().uuidString)
            do {
                return try await following(request) { try await resume(id, $0, $1, copy) }
            } catch {
                // The partial file has a random name, so no later download could resume it.
                await Blocking.run { UserFolder.discardPart(of: copy) }
                throw error
            }
        }
    }

    /// The result of one request of a download.
    private enum Answer {
        case file(RemoteFile)
        /// The server sent another response: a redirect, or an error with the beginning of its body.
        case other(HTTPResponse, [UInt8])
    }

    /// Runs a download, and runs it again for each redirect.
    ///
    /// The client's own redirects are disabled, because each origin has its own headers and its own trust.
    private func following(
        _ request: HTTPRequest, _ attempt: (HTTPRequest, HTTPClient) async throws -> Answer
    ) async throws -> RemoteFile {
        var chain = RedirectChain(request, policy: .follow())
        while true {
            reporter.log.write(.rest, NetworkLog.request(chain.request, reporter.log))
            let client = try addresses.isForeign(chain.request) ? foreignClient : client
            switch try await attempt(chain.request, client) {
            case .file(let file): return file
            case .other(let response, let body):
                reporter.log.write(.rest, NetworkLog.response(response, body, chain.request, reporter.log))
                guard try addresses.follow(response, &chain) else { throw error(response, body) }
            }
        }
    }

    /// Returns the copy's name. The same file always has the same name, so that a partial file can be resumed and there
    /// is only one copy. In an encrypted folder the name reveals nothing about the file.
    private static func name(of plan: DownloadPlan, in folder: UserFolder) -> String {
        guard folder.keys == nil else { return RowCodec(keys: folder.keys).name("file " + plan.reference) }
        return Array(SHA256.hash(data: Array(plan.reference.utf8))).prefix(16).hexadecimal
    }

    private func resume(
        _ id: TransferID, _ request: HTTPRequest, _ client: HTTPClient, _ copy: URL
    ) async throws -> Answer {
        let filter = Mutex<ProgressFilter?>(nil)
        let options = DownloadOptions(
            idleTimeout: timeouts.download, minimumProgress: timeouts.downloadProgress,
            maximumBytes: Self.downloadLimit, redirects: .deliver, replacement: .always,
            onProgress: { [reporter] progress in
                let filter = filter.withLock { filter in
                    let current =
                        filter
                        ?? ProgressFilter(total: progress.toReceive) {
                            reporter.sink(.progress(id, $0, of: progress.toReceive))
                        }
                    filter = current
                    return current
                }
                filter.report(progress.received)
            })
        do {
            let file = try await client.download(request, to: copy.path, options: options)
            reporter.log.write(.rest, NetworkLog.response(file.response, [], request, reporter.log))
            return .file(
                RemoteFile(
                    reference: copy.path, name: nil, size: file.size, type: file.response.headerFields[.contentType]))
        } catch let error as TransferError {
            switch error.code {
            case .unexpectedStatus:
                guard let response = error.response else { throw error }
                if (400..<500).contains(response.status.code) {
                    await Blocking.run { UserFolder.discardPart(of: copy) }
                }
                return .other(response, error.body)
            case .tooLarge: throw FileTransferError(.tooLarge, error.reason)
            case .fileUnusable: throw FileTransferError(.unwritable, error.reason)
            default: throw error
            }
        }
    }

    private func downloadSealed(
        _ id: TransferID, _ request: HTTPRequest, _ client: HTTPClient, _ folder: UserFolder, as name: String
    ) async throws -> Answer {
        // Another download may be in progress and the previous copy may be in use, so the last step renames the file
        // atomically.
        let copy = folder.files.appendingPathComponent(UUID().uuidString)
        do {
            return try await client.execute(request, options: RequestOptions(idleTimeout: timeouts.download)) {
                response, body in
                var reading = PacedReading(client, minimum: timeouts.downloadProgress)
                guard response.status.code == 200 else {
                    var text: [UInt8] = []
                    while text.count < Self.answerLimit, let chunk = try await reading.next(&body) { text += chunk }
                    return .other(response, text)
                }
                reporter.log.write(.rest, NetworkLog.response(response, [], request, reporter.log))
                let total = response.headerFields[.contentLength].flatMap { Int64($0) }
                guard total ?? 0 <= Self.downloadLimit else {
                    throw FileTransferError(
                        .tooLarge, "The file is larger than the limit of \(Self.downloadLimit) bytes.")
                }
                let progress = ProgressFilter(total: total) { reporter.sink(.progress(id, $0, of: total)) }
                let received = try await Self.receive(
                    &reading, of: &body, into: copy, named: name, keys: folder.keys, progress)
                let place = folder.files.appendingPathComponent(name)
                try await Blocking.run {
                    guard rename(copy.path, place.path) == 0 else {
                        throw FileTransferError(
                            .unwritable, "The file cannot be stored: system error \(errno).")
                    }
                }
                return .file(
                    RemoteFile(
                        reference: place.path, name: nil, size: received, type: response.headerFields[.contentType]))
            }
        } catch {
            await Blocking.run { try? FileManager.default.removeItem(at: copy) }
            throw error
        }
    }

    private static func receive(
        _ reading: inout PacedReading, of body: inout HTTPBodyReader, into copy: URL, named name: String,
        keys: StoreKeys?, _ progress: ProgressFilter
    ) async throws -> Int64 {
        var writer = try await Blocking.run { try SealedFileWriter(copy, keys: keys, name: name) }
        var received: Int64 = 0
        while let chunk = try await reading.next(&body) {
            received += Int64(chunk.count)
            guard received <= downloadLimit else {
                throw FileTransferError(.tooLarge, "The file is larger than the limit of \(downloadLimit) bytes.")
            }
            do {
                try await writer.withoutBlocking { try $0.write(chunk) }
            } catch {
                throw FileTransferError(.unwritable, "The file cannot be stored: \(error)")
            }
            progress.report(received)
        }
        try await writer.withoutBlocking { try $0.finish() }
        return received
    }
}
