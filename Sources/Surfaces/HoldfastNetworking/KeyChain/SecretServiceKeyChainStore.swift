#if os(Linux)
import HoldfastBase
import Dispatch
import Foundation
import HoldfastSystem
import HoldfastTrust
import Synchronization

/// Keeps secrets in the desktop's key ring, through the Secret Service and the command `secret-tool` of libsecret.
///
/// The key ring is opened by the user's login, so that what is kept is worth more than a file with its key beside it; on a
/// server there is none. Values are stored as base64 under the attributes `service` and `key`. They are handed over on pipes and
/// never as arguments, which everybody on the machine can read.
///
/// A key ring that is locked makes the tool ask the user, for whom two minutes are waited. The work is done on a queue of its
/// own; calls come one after the other, from any thread.
public final class SecretServiceKeyChainStore: KeyChainStoreProtocol {
    /// The longest value: 16 KiB. What is handed over has to fit into a pipe as a whole; Linux pipes hold 64 KiB.
    public static let maximumValueBytes = 16 * 1_024

    private let service: String
    private let tool: SecretTool
    private let queue = DispatchQueue(label: "holdfast.secret-service")

    /// Describes a store. Throws ``KeyChainStoreError/secretService(_:)`` where there is no `secret-tool` in `PATH`, so that
    /// an app can use another store.
    ///
    /// - Parameter service: Whose secrets these are.
    public convenience init(service: String = SystemKeyChainStore.defaultService) throws(KeyChainStoreError) {
        let path = ProcessInfo.processInfo.environment["PATH"]
        do throws(SecretServiceError) {
            self.init(service: service, tool: try SecretTool(searching: path))
        } catch {
            throw .secretService(error)
        }
    }

    init(service: String, tool: SecretTool) {
        self.service = service
        self.tool = tool
    }

    /// Throws ``KeyChainStoreError/secretService(_:)``.
    public func save(_ value: String, forKey key: String) async throws {
        try await save(value, forKey: key, unless: nil)
    }

    /// Keeps a value unless there is one already. Throws ``KeyChainStoreError/secretService(_:)``.
    ///
    /// The Secret Service has no such step of its own: two processes, or two objects, may both find nothing and both save.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await save(value, forKey: key, unless: ["lookup"])
    }

    private func save(_ value: String, forKey key: String, unless other: [String]?) async throws {
        guard value.utf8.count <= Self.maximumValueBytes else {
            throw KeyChainStoreError.secretService(
                SecretServiceError(.valueTooLarge, "The value has more than \(Self.maximumValueBytes) bytes."))
        }
        let input = Array(Data(value.utf8).base64EncodedString().utf8)
        _ = try await run(["store", "--label=\(service): \(key)"], for: key, input: input, unless: other)
    }

    /// Throws ``KeyChainStoreError/secretService(_:)``, or ``KeyChainStoreError/stringDecodingFailed``.
    public func value(forKey key: String) async throws -> String? {
        guard let output = try await run(["lookup"], for: key) else { return nil }
        let line = output.last == 0x0A ? output.dropLast() : output[...]
        guard let data = Data(base64Encoded: Data(line)), let text = String(validating: data, as: UTF8.self) else {
            throw KeyChainStoreError.stringDecodingFailed
        }
        return text
    }

    /// Throws ``KeyChainStoreError/secretService(_:)``.
    public func deleteValue(forKey key: String) async throws {
        _ = try await run(["clear"], for: key)
    }

    /// What the tool writes; `nil` where it finds nothing.
    ///
    /// - Parameter other: A command that runs first. If it finds something, that is the result, and nothing else runs.
    private func run(
        _ command: [String], for key: String, input: [UInt8] = [], unless other: [String]? = nil
    ) async throws -> [UInt8]? {
        for name in [service, key] where name.isEmpty || name.hasPrefix("-") || name.utf8.contains(0) {
            throw KeyChainStoreError.secretService(
                SecretServiceError(
                    .unusableName, "A name of the Secret Service may not be empty or begin with a hyphen."))
        }
        let attributes = ["service", service, "key", key]
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [tool] in
                do throws(SecretServiceError) {
                    if let other, let found = try tool.run(other + attributes, input: []) {
                        return continuation.resume(returning: found)
                    }
                    continuation.resume(returning: try tool.run(command + attributes, input: input))
                } catch {
                    continuation.resume(throwing: KeyChainStoreError.secretService(error))
                }
            }
        }
    }
}

/// Runs `secret-tool`. Blocks the calling thread.
struct SecretTool: Sendable {
    private let path: String
    private let patience: DispatchTimeInterval

    /// A tool at this path, for which this long is waited.
    init(path: String, patience: DispatchTimeInterval = .seconds(120)) {
        self.path = path
        self.patience = patience
    }

    /// Looks through the absolute folders of a search path: one that is not depends on where the process happens to be.
    init(searching path: String?) throws(SecretServiceError) {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let tool = folders.map { $0 + "/secret-tool" }.first { access(String($0), X_OK) == 0 }
        guard let tool else { throw SecretServiceError(.toolMissing, "There is no secret-tool in PATH.") }
        self.init(path: String(tool))
    }

    /// What the tool writes to its output; `nil` where it says by its status, and no word, that there is nothing.
    func run(_ arguments: [String], input: [UInt8]) throws(SecretServiceError) -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try Self.filled(input)
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        do {
            try process.run()
        } catch {
            throw SecretServiceError(.toolMissing, "\(Printable.text(path)) cannot be started.")
        }
        let watchdog = Watchdog(process)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { watchdog.bark() }
        // One after the other: the tool writes to one of the two, and less than a pipe takes.
        let written = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let complained = (try? complaint.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        if watchdog.leave() {
            throw SecretServiceError(.timedOut, "secret-tool did not end in time.")
        }
        if process.terminationReason == .exit, process.terminationStatus == 0 { return Array(written) }
        if process.terminationReason == .exit, process.terminationStatus == 1, complained.isEmpty { return nil }
        throw SecretServiceError(
            .failed,
            "secret-tool ended with \(process.terminationStatus): \(Printable.text(complained.prefix(200)))")
    }

    /// A pipe that holds the input and ends behind it: nobody has to write while the tool reads, or gets a signal when it does
    /// not.
    private static func filled(_ input: [UInt8]) throws(SecretServiceError) -> Pipe {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(writer, F_GETFL)
        guard flags >= 0, fcntl(writer, F_SETFL, flags | O_NONBLOCK) == 0,
            input.withUnsafeBytes({ write(writer, $0.baseAddress, $0.count) }) == input.count
        else { throw SecretServiceError(.failed, "The value cannot be handed to secret-tool.") }
        try? pipe.fileHandleForWriting.close()
        return pipe
    }
}

/// Ends a process that takes too long.
private final class Watchdog: Sendable {
    private let state: Mutex<(process: Process?, hasBarked: Bool)>

    init(_ process: Process) {
        state = Mutex((process, false))
    }

    /// Ends the process, unless it was said that it has ended. It inherits the signals that the threads of the pool block, and
    /// those that ask politely are among them.
    func bark() {
        state.withLock { state in
            guard let process = state.process, process.isRunning else { return }
            state.hasBarked = kill(process.processIdentifier, SIGKILL) == 0
        }
    }

    /// The process has ended. Whether it was made to.
    func leave() -> Bool {
        state.withLock { state in
            state.process = nil
            return state.hasBarked
        }
    }
}
#endif
