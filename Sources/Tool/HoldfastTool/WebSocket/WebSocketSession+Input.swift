import HoldfastWebSocket
import Synchronization

/// Processes the session's input.
extension WebSocketSession {
    /// The maximum length of a line in bytes. A longer line is an error. At a prompt, the command continues; otherwise,
    /// it ends.
    static let lineLimit = 16 << 20

    /// Reads lines and executes them until the input ends, a line ends the session, or a line is invalid.
    func obey(_ signaller: AsyncStream<Signal>.Continuation) async {
        // A ping does not delay the next line, but the end of the input waits for its pong.
        let last: Signal? = await withDiscardingTaskGroup { pings in
            do {
                let end: Signal? = try await lines.forEach(
                    screen, isPrompt: plan.isPrompt, unusable: { error in throw error }
                ) { line in
                    switch try read(line) {
                    case .text(let text): try await send(.text(text))
                    case .binary(let bytes): try await send(.binary(bytes))
                    case .file(let path): try await send(file: path)
                    case .ping: pings.addTask { await ping() }
                    case .close(let code, let reason):
                        if plan.isPrompt { pings.cancelAll() }
                        return .close(code, reason)
                    case .help: screen.note(PromptLine.commandList)
                    case .nothing: break
                    }
                    return nil
                }
                return end ?? .inputEnded
            } catch {
                // If the session or the connection is over, the task that ended it reports the reason.
                pings.cancelAll()
                return (error as? ToolError).map { .stopped($0) }
            }
        }
        screen.removePrompt()
        if let last { signaller.yield(last) }
    }

    private func read(_ line: LineReader.Line) throws(ToolError) -> PromptLine {
        let text = try line.text(otherwise: ", which text messages require; /binary and /file send any bytes")
        return plan.takesCommands ? try PromptLine(text) : .text(text)
    }

    private func send(_ message: WebSocketMessage) async throws {
        try await connection.send(message)
        switch message {
        case .text(let text): try told(.sent(.text, bytes: text.utf8.count))
        case .binary(let bytes): try told(.sent(.binary, bytes: bytes.count))
        }
    }

    private func send(file path: String) async throws {
        let pieces = try FilePieces(path: path)
        try await connection.send(binary: pieces)
        try told(.sent(.binary, bytes: pieces.byteCount))
    }

    private func told(_ event: WebSocketEvent) throws {
        do { try screen.show(event) } catch { throw ToolError(describing: error) }
    }

    private func ping() async {
        let duration = await withTaskGroup(of: Result<Duration?, any Error>.self) { group in
            group.addTask {
                do { return .success(try await connection.ping()) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await pause(plan.pongTimeout) } catch { return .failure(error) }
                return .success(nil)
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        switch duration {
        case .success(let duration): try? screen.show(.pong(duration))
        case .failure(let error as WebSocketError) where error.code == .tooManyPings: screen.note(error.reason)
        // The connection is over, and its end is reported elsewhere.
        case .failure, nil: break
        }
    }
}

/// The bytes of a file in pieces, so that a message need not be in memory as a whole. It can be iterated once.
final class FilePieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    /// The maximum size of a piece in bytes.
    private static let size = 64 * 1024

    private let file: InputFile
    private let read = Mutex(0)

    /// Opens a file. Throws one sentence.
    init(path: String) throws(ToolError) {
        file = try InputFile(path: path)
    }

    /// The number of bytes that have been read so far.
    var byteCount: Int { read.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

    /// Reads one piece after the other.
    struct Iterator: AsyncIteratorProtocol {
        let pieces: FilePieces

        func next() async throws -> [UInt8]? {
            let piece = try pieces.file.read(upTo: FilePieces.size)
            pieces.read.withLock { $0 += piece.count }
            return piece.isEmpty ? nil : piece
        }
    }
}
