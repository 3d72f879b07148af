#if os(Linux)
import Dispatch
import Foundation

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
        guard value.utf8.count <= Self.maximumValueBytes else {
            throw KeyChainStoreError.secretService(
                SecretServiceError(.valueTooLarge, "The value has more than \(Self.maximumValueBytes) bytes."))
        }
        _ = try await run(storing(key), for: key, input: Self.input(value))
    }

    /// Keeps a value unless there is one already. Throws ``KeyChainStoreError/secretService(_:)``.
    ///
    /// The Secret Service has no such step of its own: two processes, or two objects, may both find nothing and both save.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        guard value.utf8.count <= Self.maximumValueBytes else {
            throw KeyChainStoreError.secretService(
                SecretServiceError(.valueTooLarge, "The value has more than \(Self.maximumValueBytes) bytes."))
        }
        _ = try await run(storing(key), for: key, input: Self.input(value), unless: ["lookup"])
    }

    private func storing(_ key: String) -> [String] { ["store", "--label=\(service): \(key)"] }

    private static func input(_ value: String) -> [UInt8] { Array(Data(value.utf8).base64EncodedString().utf8) }

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
#endif
