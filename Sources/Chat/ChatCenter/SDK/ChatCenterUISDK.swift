public import ChatCenterCore
import ChatWire
public import Foundation
import HoldfastBase
import HoldfastTrust
import Synchronization

/// The chat SDK: the entry point of an app.
///
/// Create one instance, keep it, set its ``delegate``, authorize a user, then get a chat screen. All methods can be
/// called from any thread. When the instance is freed, its connections close, its streams end, and it stops calling the
/// delegate.
public final class ChatCenterUISDK: Sendable {
    /// The version of the SDK.
    public static let version: String = PackageVersion.current

    let driver: ChatDriver
    let hub: ChatHub
    let log: ChatLog
    let appearance = ChatAppearance()
    private let configuration: DriverConfiguration
    private let tokenObserver: Mutex<UInt64?>

    /// Creates the SDK, synchronously and without I/O. Data of logged-out users that a crash left behind is deleted
    /// shortly afterwards, on another thread.
    ///
    /// - Parameters:
    ///   - providerUid: The provider's identifier, as issued by the vendor.
    ///   - appMarker: Distinguishes several apps of one provider, such as `mybank-ios-prod`.
    ///   - chatConfig: The settings. Later changes of the value have no effect.
    ///   - loggerConfig: The settings of the log. Nothing is logged by default.
    ///   - tokenProvider: Called for new credentials when the server no longer accepts the current ones.
    public convenience init(
        providerUid: String, appMarker: String? = nil, chatConfig: ChatConfig,
        loggerConfig: ChatLoggerConfig? = nil, tokenProvider: ChatTokenProvider? = nil
    ) {
        self.init(
            providerUid: providerUid, appMarker: appMarker, chatConfig: chatConfig, loggerConfig: loggerConfig,
            tokenProvider: tokenProvider, environment: ChatEnvironment())
    }

    package init(
        providerUid: String, appMarker: String? = nil, chatConfig: ChatConfig,
        loggerConfig: ChatLoggerConfig? = nil, tokenProvider: ChatTokenProvider? = nil, environment: ChatEnvironment
    ) {
        let root = chatConfig.storageDirectory ?? StorageLocation.standard
        let accepted = AcceptedKeys(root: root, hosts: chatConfig.transportConfig.endpoints?.servers ?? [])
        let trust = ChatTrust(chatConfig.networkConfig.sslPinning, anchors: environment.anchors)
        let errors = ErrorTable(
            diagnostician: Diagnostician(trusted: trust.pinned.map(\.spkiDigest), accepted: accepted))
        let hub = ChatHub(errors: errors, trust: trust, executor: environment.makeExecutor("holdfast.chat"))
        let clock = environment.clock
        let log = ChatLog(
            loggerConfig ?? ChatLoggerConfig(), defaultDirectory: StorageLocation.logs,
            timestamp: { WireTime.text(clock.now().wall) }, sink: { [weak hub] in hub?.logged($0) })
        let configuration = DriverConfiguration(
            providerUID: providerUid, appMarker: appMarker, config: chatConfig,
            timeouts: NetworkTimeouts(chatConfig.networkConfig), trust: trust, tokenProvider: tokenProvider,
            root: root, accepted: accepted)
        let driver = ChatDriver(
            ChatEngine(configuration, environment: environment, errors: errors, log: log, hub: hub))
        self.driver = driver
        self.hub = hub
        self.log = log
        self.configuration = configuration
        tokenObserver = Mutex(
            DeviceToken.observe { [weak driver, log] token in
                log.hide([token])
                driver?.handle(.pushToken(token))
            })
        log.hide([DeviceToken.current] + chatConfig.transportConfig.dataStoreHTTPHeaders.map(\.value))
        hub.attach(self)
        for line in configuration.notes { log.keep(line) }
        observeApplication()
        environment.afterStart { [weak driver] in driver?.sweepErased() }
    }

    deinit {
        tokenObserver.withLock { $0.map(DeviceToken.stopObserving) }
        driver.shutDown()
        hub.finish()
    }

    // MARK: Events

    /// Receives events on the main thread. Held weakly. Set it before ``authorize(user:auth:)``. Messages of the
    /// initializer are delivered when it is set.
    public var delegate: (any ChatCenterUISDKDelegate)? {
        get { hub.slot.delegate }
        set {
            hub.slot.delegate = newValue
            if newValue != nil { log.replayKeptLines() }
        }
    }

    /// Receives events on ``delegateExecutor``, like ``delegate``, for classes outside the main actor. Held weakly.
    /// Messages of the initializer are delivered to whichever of the two is set first.
    public var observer: (any ChatCenterUISDKObserver)? {
        get { hub.slot.observer }
        set {
            hub.slot.observer = newValue
            if newValue != nil { log.replayKeptLines() }
        }
    }

    /// The executor that calls ``observer`` and completion handlers: the main thread by default.
    public var delegateExecutor: ChatDelegateExecutor {
        get { hub.slot.executor }
        set { hub.slot.executor = newValue }
    }

    /// A stream of all events from now on. Each call creates a new stream, which ends when the SDK is freed.
    public var events: ChatCenterEvents { ChatCenterEvents(hub.events.stream()) }

    /// The state of the connection, and the rule by which its server is trusted.
    public var connectionState: ChatConnection {
        ChatConnection(phase: driver.snapshot.connection, security: configuration.trust.security)
    }

    /// The settings in effect, each with its origin.
    public var effectiveConfig: ChatEffectiveConfig {
        ChatEffectiveConfig(
            values: driver.snapshot.configuration ?? configuration.initialValues,
            security: configuration.trust.security, timeouts: configuration.timeouts)
    }

    /// The problems of the configuration itself: trusted certificates that cannot be read, and unusable addresses.
    /// Available once the SDK is created, without I/O.
    public var configurationDiagnoses: [ChatConnectionDiagnosis] {
        let certificates = configuration.config.networkConfig.sslPinning.trustedCertificates
        var diagnoses = certificates.compactMap { ChatConnectionDiagnosis($0) }
        if configuration.trust.security == .refusesEverything {
            diagnoses.append(ChatConnectionDiagnosis(.noUsableCertificates, evidence: []))
        }
        let problems = configuration.config.transportConfig.problems
        if !problems.isEmpty {
            diagnoses.append(ChatConnectionDiagnosis(.addressesUnusable, evidence: problems.map { .fact("\($0)") }))
        }
        return diagnoses
    }

    /// Returns the reason why the server cannot be reached, for a failure that a screen, a banner or a message shows.
    /// `nil` if the failure is too old or the server was reached.
    public func diagnosis(of failure: TransportFailure) -> ChatConnectionDiagnosis? {
        driver.errors.diagnosis(failure.errorID)
    }

    /// Returns the error of a failure that a screen, a banner or a message shows, such as a `TransportError` with the
    /// verdict on a refused server. `nil` if the failure is too old or has no error.
    public func underlyingError(of failure: TransportFailure) -> (any Error)? {
        driver.errors.error(failure.errorID)
    }
}

extension ChatCenterUISDK {
    /// The texts and the language of the chat, shared by all instances in the process. Set it before `authorize`, which
    /// sends the language to the server; an authorized user keeps the earlier language.
    ///
    /// If the table is missing from its bundle or cannot be read, an error is logged and the built-in texts are used.
    public var localizationConfig: ChatLocalizationConfig? {
        get { ChatAppearance.localizationConfig }
        set {
            ChatAppearance.localizationConfig = newValue
            guard let newValue else { return }
            if !newValue.hasTable {
                log.write(
                    .error,
                    "ChatLocalizationConfig: the bundle \(newValue.bundlePath) has no table “\(newValue.tableName)”. "
                        + "The built-in texts are used.")
            } else if let problem = newValue.problem {
                log.write(.error, "ChatLocalizationConfig: \(problem)")
            }
        }
    }

    /// The appearance of the chat. Setting it also sets ``darkTheme``, so set this property first. A screen uses the
    /// theme that is set when the screen is created.
    public var theme: ChatTheme {
        get { appearance.themes.light }
        set { appearance.themes = ChatAppearance.Themes(light: newValue, dark: newValue) }
    }

    /// The appearance of the chat in dark mode.
    public var darkTheme: ChatTheme {
        get { appearance.themes.dark }
        set { appearance.themes.dark = newValue }
    }
}

extension ChatCenterUISDK {
    /// Writes all log files to one file, oldest line first, for example to send it to support.
    ///
    /// Only the file's owner can read it. It contains no secrets unless ``ChatLoggerConfig/dangerouslyLogsSecrets`` is
    /// set. Delete the file after sending it. Can be called from any thread; blocks until the file is written.
    ///
    /// - Parameter file: The destination, which is overwritten; `nil` for a new file in the temporary folder.
    /// - Returns: The location of the file.
    /// - Throws: ``ChatLogExportError``.
    @discardableResult
    public func exportLogs(to file: URL? = nil) throws(ChatLogExportError) -> URL {
        let target =
            file ?? FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString).log")
        try log.export(to: target)
        return target
    }
}

/// The reason why a call of the SDK cannot be carried out now.
///
/// - Remedy: Call `authorize` or open the chat first. For a socket, follow the diagnosis.
public enum ChatCenterUIError: Error {
    /// No user is authorized: `authorize` was not called or was refused, or the user has logged out.
    case userNotAuthorized
    /// The chat is not on the screen, or the notification is empty.
    case chatNotOpened
    /// The socket could not be opened. The error states the reason, including the verdict on a refused server.
    case webSocketError((any Error)?)
}

extension ChatCenterUIError: Equatable {
    /// Compares the kind of error. Two ``webSocketError(_:)`` are equal if their errors' descriptions are.
    public static func == (lhs: ChatCenterUIError, rhs: ChatCenterUIError) -> Bool {
        switch (lhs, rhs) {
        case (.userNotAuthorized, .userNotAuthorized), (.chatNotOpened, .chatNotOpened): true
        case (.webSocketError(let left), .webSocketError(let right)):
            left.map { String(describing: $0) } == right.map { String(describing: $0) }
        default: false
        }
    }
}
