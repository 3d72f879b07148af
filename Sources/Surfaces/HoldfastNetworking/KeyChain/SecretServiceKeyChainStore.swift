#if os(Linux)
import HoldfastBase
import Dispatch
import Foundation
import HoldfastSystem
import Synchronization

/// A store that keeps secrets in the desktop's key ring, through the Secret Service and libsecret's `secret-tool`
/// command.
///
/// The user's login unlocks the key ring, so it protects better than a file with its key next to it. Servers usually
/// have no key ring. Values are stored as base64 with the attributes `service` and `key`. They are passed through
/// pipes, never as arguments, which other users could read.
///
/// If the key ring is locked, the tool asks the user, with a timeout of two minutes. The store works on its own serial
/// queue and can be used from any thread.
public final class SecretServiceKeyChainStore: KeyChainStoreProtocol {
    /// The maximum size of a value: 16 KiB. The encoded value must fit into a pipe as a whole; Linux pipes hold 64 KiB.
    ///
    /// - Error: `SecretServiceError.Code.valueTooLarge`
    public static let maximumValueBytes = 16 * 1_024

    private let service: String
    private let tool: SecretTool
    private let queue = DispatchQueue(label: "holdfast.secret-service")

    /// Makes a store. Throws ``KeyChainStoreError/secretService(_:)`` if `PATH` contains no `secret-tool`, so that an
    /// app can use another store.
    ///
    /// - Parameter service: The service that owns the secrets.
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

    /// Stores a value and replaces an existing one. Throws ``KeyChainStoreError/secretService(_:)``.
    public func save(_ value: String, forKey key: String) async throws {
        try await save(value, forKey: key, unless: nil)
    }

    /// Stores a value unless one exists. Throws ``KeyChainStoreError/secretService(_:)``.
    ///
    /// The Secret Service cannot do this in one step. Two processes, or two objects, may both find no value and both
    /// save one.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await save(value, forKey: key, unless: ["lookup"])
    }

    private func save(_ value: String, forKey key: String, unless other: [String]?) async throws {
        guard value.utf8.count <= Self.maximumValueBytes else {
            throw KeyChainStoreError.secretService(
                SecretServiceError(.valueTooLarge, "The value is larger than \(Self.maximumValueBytes) bytes."))
        }
        let input = Array(Data(value.utf8).base64EncodedString().utf8)
        _ = try await run(["store", "--label=\(service): \(key)"], for: key, input: input, unless: other)
    }

    /// Returns a value, or `nil` if it does not exist. Throws ``KeyChainStoreError/secretService(_:)`` or
    /// ``KeyChainStoreError/stringDecodingFailed``.
    public func value(forKey key: String) async throws -> String? {
        guard let output = try await run(["lookup"], for: key) else { return nil }
        let line = output.last == 0x0A ? output.dropLast() : output[...]
        return try KeyChainStoreError.text(Data(base64Encoded: Data(line)))
    }

    /// Deletes a value. Throws ``KeyChainStoreError/secretService(_:)``.
    public func deleteValue(forKey key: String) async throws {
        _ = try await run(["clear"], for: key)
    }

    /// Returns the output of the tool, or `nil` if it finds nothing.
    ///
    /// - Parameter other: A command that runs first. If it finds a value, its output is returned and `command` does not
    ///   run.
    private func run(
        _ command: [String], for key: String, input: [UInt8] = [], unless other: [String]? = nil
    ) async throws -> [UInt8]? {
        for name in [service, key] where name.isEmpty || name.hasPrefix("-") || name.utf8.contains(0) {
            throw KeyChainStoreError.secretService(
                SecretServiceError(
                    .unusableName, "A Secret Service name must not be empty or start with a hyphen."))
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

    /// Makes a runner for the tool at this path, with a timeout.
    init(path: String, patience: DispatchTimeInterval = .seconds(120)) {
        self.path = path
        self.patience = patience
    }

    /// Finds the tool in the absolute folders of a search path. Relative folders depend on the current directory and
    /// are skipped.
    init(searching path: String?) throws(SecretServiceError) {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let tool = folders.map { $0 + "/secret-tool" }.first { access(String($0), X_OK) == 0 }
        guard let tool else {
            throw SecretServiceError(
                .toolMissing, "PATH contains no secret-tool. Install the libsecret tools or use another store.")
        }
        self.init(path: String(tool))
    }

    /// Returns the output of the tool, or `nil` if it reports by its status, without a message, that it found nothing.
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
            throw SecretServiceError(.toolMissing, "\(Printable.text(path)) could not be started.")
        }
        let watchdog = Watchdog(process)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { watchdog.bark() }
        // The pipes are read one after the other: the tool writes to only one of them, and less than a pipe holds.
        let written = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let complained = (try? complaint.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        if watchdog.leave() {
            throw SecretServiceError(.timedOut, "secret-tool did not finish before its timeout.")
        }
        if process.terminationReason == .exit, process.terminationStatus == 0 { return Array(written) }
        if process.terminationReason == .exit, process.terminationStatus == 1, complained.isEmpty { return nil }
        throw SecretServiceError(
            .failed,
            "secret-tool failed with status \(process.terminationStatus): \(Printable.text(complained.prefix(200)))")
    }

    /// Returns a pipe that already contains the complete input. No write can block or raise SIGPIPE while the tool
    /// runs.
    private static func filled(_ input: [UInt8]) throws(SecretServiceError) -> Pipe {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(writer, F_GETFL)
        guard flags >= 0, fcntl(writer, F_SETFL, flags | O_NONBLOCK) == 0,
            input.withUnsafeBytes({ write(writer, $0.baseAddress, $0.count) }) == input.count
        else { throw SecretServiceError(.failed, "The value could not be passed to secret-tool.") }
        try? pipe.fileHandleForWriting.close()
        return pipe
    }
}

/// Terminates a process that takes too long.
private final class Watchdog: Sendable {
    private let state: Mutex<(process: Process?, hasBarked: Bool)>

    init(_ process: Process) {
        state = Mutex((process, false))
    }

    /// Kills the process unless it has ended. The process inherits the signals that the pool's threads block, and
    /// SIGTERM may be one of them.
    func bark() {
        state.withLock { state in
            guard let process = state.process, process.isRunning else { return }
            state.hasBarked = kill(process.processIdentifier, SIGKILL) == 0
        }
    }

    /// Records that the process has ended. Returns whether the watchdog killed it.
    func leave() -> Bool {
        state.withLock { state in
            state.process = nil
            return state.hasBarked
        }
    }
}
#endif
