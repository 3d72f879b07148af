public import ChatCenterCore
import ChatWire
public import Foundation
import HoldfastTrust
import Synchronization

/// The chat.
///
/// Make one, keep it, set its ``delegate``, then authorise a user and ask for a chat. It may be called from any thread.
/// When it is freed, its connections are closed, its streams end, and its delegate hears no more.
public final class ChatCenterUISDK: Sendable {
    /// The version of the SDK.
    public static let version = "0.1.0"

    let driver: ChatDriver
    let hub: ChatHub
    let log: ChatLog
    let appearance = ChatAppearance()
    private let configuration: DriverConfiguration
    private let tokenObserver: Mutex<UInt64?>

    /// Makes the chat. Synchronous, and without any I/O. What a crash left of users who were logged out is deleted a moment
    /// later, on another thread.
    ///
    /// - Parameters:
    ///   - providerUid: The provider's identifier, as the vendor gave it.
    ///   - appMarker: Tells several apps of one provider apart, such as `mybank-ios-prod`.
    ///   - chatConfig: The settings; later changes of the value have no effect.
    ///   - loggerConfig: What is logged; nothing by default.
    ///   - tokenProvider: Asked for new credentials when the server no longer accepts the current ones.
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

    // MARK: What happens

    /// Who is told what happens, on the main thread. Held weakly. Set it before ``authorize(user:auth:)``; what the
    /// initialiser had to say is told when it is set.
    public var delegate: (any ChatCenterUISDKDelegate)? {
        get { hub.slot.delegate }
        set {
            hub.slot.delegate = newValue
            if newValue != nil { log.replayKeptLines() }
        }
    }

    /// Who is told what happens on ``delegateExecutor``: the same as ``delegate``, for classes that are not of the main
    /// actor. Held weakly. What the initialiser had to say goes to the one of both that is set first.
    public var observer: (any ChatCenterUISDKObserver)? {
        get { hub.slot.observer }
        set {
            hub.slot.observer = newValue
            if newValue != nil { log.replayKeptLines() }
        }
    }

    /// Where ``observer`` and completion handlers are called: the main thread by default.
    public var delegateExecutor: ChatDelegateExecutor {
        get { hub.slot.executor }
        set { hub.slot.executor = newValue }
    }

    /// Everything that happens from now on. Each call makes a stream of its own; it ends with the SDK.
    public var events: ChatCenterEvents { ChatCenterEvents(hub.events.stream()) }

    /// The connection, and what decides whether its server is trusted.
    public var connectionState: ChatConnection {
        ChatConnection(phase: driver.snapshot.connection, security: configuration.trust.security)
    }

    /// The settings in force, each with its origin.
    public var effectiveConfig: ChatEffectiveConfig {
        ChatEffectiveConfig(
            values: driver.snapshot.configuration ?? configuration.initialValues,
            security: configuration.trust.security, timeouts: configuration.timeouts)
    }

    /// What is wrong with the configuration itself: trusted certificates that cannot be read, addresses that cannot be
    /// used. Told when the SDK is made, without any I/O.
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

    /// Why there is no way to the server behind a failure that a screen, a banner or a message shows. `nil` when it is
    /// too old, or when the server was reached.
    public func diagnosis(of failure: TransportFailure) -> ChatConnectionDiagnosis? {
        driver.errors.diagnosis(failure.errorID)
    }

    /// The error behind a failure that a screen, a banner or a message shows: a `TransportError` with the verdict of a
    /// refused server, for example. `nil` when it is too old, or when there was none.
    public func underlyingError(of failure: TransportFailure) -> (any Error)? {
        driver.errors.error(failure.errorID)
    }
}

extension ChatCenterUISDK {
    /// The texts of the chat and its language: one for all instances of the process, as documented. Set it before
    /// `authorize`, which tells the server the language; a user who is authorised already keeps his.
    ///
    /// A table that is missing from its bundle is logged as an error, and the built-in texts are used.
    public var localizationConfig: ChatLocalizationConfig? {
        get { ChatAppearance.localizationConfig }
        set {
            ChatAppearance.localizationConfig = newValue
            guard let newValue, !newValue.hasTable else { return }
            log.write(
                .error,
                "ChatLocalizationConfig: the bundle \(newValue.bundlePath) has no table “\(newValue.tableName)”; "
                    + "the built-in texts are used.")
        }
    }

    /// The look of the chat. Setting it sets ``darkTheme`` as well: set this one first. A screen takes it over when it is
    /// made; later changes show on the next one.
    public var theme: ChatTheme {
        get { appearance.themes.light }
        set { appearance.themes = ChatAppearance.Themes(light: newValue, dark: newValue) }
    }

    /// The look of the chat on a dark system.
    public var darkTheme: ChatTheme {
        get { appearance.themes.dark }
        set { appearance.themes.dark = newValue }
    }
}

extension ChatCenterUISDK {
    /// Writes one file with everything that the log files hold, the oldest line first, for a mail to the support.
    ///
    /// The file is readable for its owner alone, and holds what the log holds: nothing secret unless
    /// ``ChatLoggerConfig/dangerouslyLogsSecrets`` is set. Delete it when it was sent.
    ///
    /// - Parameter file: Where it goes, replacing what is there; `nil` for a new file in the temporary folder.
    /// - Returns: Where the file is.
    /// - Throws: ``ChatLogExportError``. Call it from any thread; it returns when the file is written.
    @discardableResult
    public func exportLogs(to file: URL? = nil) throws(ChatLogExportError) -> URL {
        let target =
            file ?? FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString).log")
        try log.export(to: target)
        return target
    }
}
