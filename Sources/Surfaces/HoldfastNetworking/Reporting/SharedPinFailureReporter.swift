import Foundation
import HoldfastSystem
import HoldfastTransport
package import HoldfastTrust
package import Logging
import Synchronization

/// Reports failed pins for an app that configures report addresses but no reporter. It runs a ``PinFailureReporter``
/// for its own lifetime. A process has one per folder.
package final class SharedPinFailureReporter: TrustEventSink {
    private struct Weak {
        weak var reporter: SharedPinFailureReporter?
    }

    /// The wait before a folder that is in use is tried again.
    private static let retryInterval = Duration.seconds(60)
    private static let running = Mutex<[String: Weak]>([:])

    private let reporter: PinFailureReporter
    private let work: Task<Void, Never>

    /// Returns the reporter of a folder, or `nil` if there is no default folder, which is also logged as an error.
    ///
    /// If another reporter uses the folder, in this process or another one, the new reporter retries each minute.
    ///
    /// - Parameters:
    ///   - folder: The folder; `nil` selects the program's own: `$XDG_STATE_HOME/SERVICE/pin-reports`, or the same path
    ///     below `~/.local/state`.
    ///   - pause: Waits for the given duration. A reporter that already runs keeps its own.
    package static func shared(
        folder: String?, anchors: TrustAnchors, clock: TrustClock, logger: Logger,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)  // reason: the real wait, which tests replace
        }
    ) -> SharedPinFailureReporter? {
        guard let folder = folder ?? defaultFolder else {
            logger.error("Cannot report failed pins: neither XDG_STATE_HOME nor HOME is an absolute path")
            return nil
        }
        return running.withLock { running in
            if let reporter = running[folder]?.reporter { return reporter }
            let reporter = SharedPinFailureReporter(folder, anchors, clock, logger, pause)
            running = running.filter { $0.value.reporter != nil }
            running[folder] = Weak(reporter: reporter)
            return reporter
        }
    }

    private init(
        _ folder: String, _ anchors: TrustAnchors, _ clock: TrustClock, _ logger: Logger,
        _ pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        var configuration = PinFailureReporter.Configuration(
            folder: folder,
            identity: ReportIdentity(bundleID: SystemKeyChainStore.defaultService, version: version ?? ""))
        configuration.anchors = anchors
        configuration.clock = clock
        let reporter = PinFailureReporter(configuration: configuration, logger: logger)
        self.reporter = reporter
        work = Task {  // reason: it runs independently and ends with this object
            do {
                try FileStore(folder: folder, name: "", limit: 0).makeParents()
                try await Self.run(reporter, folder, logger, pause)
            } catch let error as FileStore.Failure {
                logger.error("Cannot report failed pins: \(error.reason)", metadata: ["folder": "\(folder)"])
            } catch is CancellationError {
                // The reporter was released while it waited for its folder.
            } catch {
                logger.error("Cannot report failed pins: \(error)")
            }
        }
        logger.info("Reporting failed pins to the configured addresses", metadata: ["folder": "\(folder)"])
    }

    /// Runs a reporter until the task is cancelled. Waits while the folder is in use.
    private static func run(
        _ reporter: PinFailureReporter, _ folder: String, _ logger: Logger,
        _ pause: (Duration) async throws -> Void
    ) async throws {
        var warns = true
        while try await !hasFolder(reporter) {
            if warns {
                logger.warning(
                    "Cannot report failed pins yet: another reporter uses the folder; retrying each minute",
                    metadata: ["folder": "\(folder)"])
            }
            warns = false
            try await pause(retryInterval)
        }
    }

    /// Runs a reporter. Returns `false` if its folder is in use.
    private static func hasFolder(_ reporter: PinFailureReporter) async throws(ReporterError) -> Bool {
        do throws(ReporterError) {
            try await reporter.run()
        } catch {
            guard error.code == .folderInUse else { throw error }
            return false
        }
        return true
    }

    deinit {
        work.cancel()
    }

    package func record(_ verdict: TrustVerdict) { reporter.record(verdict) }

    private static var defaultFolder: String? {
        #if canImport(Security)
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return support.map { $0.appendingPathComponent("pin-reports").path }
        #else
        return KeyChainLocation.folder(
            "pin-reports", of: SystemKeyChainStore.defaultService, ProcessInfo.processInfo.environment)
        #endif
    }
}
