import ChatCenter
import ChatCenterCore
import HoldfastTrust
import Testing

/// The documented default of every documented field.
@Suite struct DefaultsTests {
    @Test("seeds 0.3, 0.5, 0.6: timeouts of REST calls and files")
    func httpConfig() {
        let config = HTTPConfig()
        #expect(config.connectionTimeout == 30)
        #expect(config.downloadTimeout == 30)
        #expect(config.uploadTimeout == 120)
        #expect(config.uploadTotalTimeout == nil)
    }

    @Test("seeds 0.9, 0.10: timeouts of the socket")
    func wsConfig() {
        let config = WSConfig()
        #expect(config.connectionTimeout == 30)
        #expect(config.sendTimeout == 20)
        #expect(config.sendTimeoutMode == .deadline)
    }

    @Test("seeds 0.15, 0.17: no pins, and no acceptance of untrusted certificates")
    func sslPinning() {
        let config = SSLPinningConfig()
        #expect(!config.allowUntrustedSSLCertificate)
        #expect(config.trustedCertificates.isEmpty)
        #expect(config.hostnameVerification == .automatic)
    }

    @Test("seeds 0.1, 2.1: the default network configuration consists of the defaults of its parts")
    func networkConfig() {
        let config = ChatNetworkConfig()
        #expect(config.httpConfig == HTTPConfig())
        #expect(config.wsConfig == WSConfig())
        #expect(config.sslPinning == SSLPinningConfig())
        #expect(ChatConfig(transportConfig: .init(cloudHost: "chat.example")).networkConfig == config)
    }

    @Test("seed 2.3: settings that do not depend on the server")
    func activeSettings() {
        let config = ChatConfig(transportConfig: .init(cloudHost: "chat.example"))
        #expect(config.userInputEnabled)
        #expect(config.shouldUseRemoteConfig)
        #expect(config.unreadMessageCountDelay == 0)
        #expect(config.unreadMessageCountInterval == nil)
        #expect(config.outboxEnabled)
        #expect(config.sealsExistingStore)
    }

    @Test("seeds 2.6 to 2.8: settings that the server decides")
    func serverDrivenSettings() {
        let config: any ServerDrivenAccess = ChatConfig(transportConfig: .init(cloudHost: "chat.example"))
        #expect(config.searchEnabled)
        #expect(!config.voiceRecordingEnabled)
        #expect(config.scrollToLatest)
        #expect(!config.linkPreviewEnabled)
        #expect(config.showAttachButton)
        #expect(config.surveyCompletionDelay == 0)
        #expect(config.historyLoadingCount == 30)
        #expect(!config.keepSocketActive)
        #expect(!config.keepSocketActiveDuringOperatorSession)
    }

    @Test("the SDK reads the settings that the app sets")
    func deprecatedSettingsAreStored() {
        var config: any ServerDrivenAccess & HasServerDriven = ChatConfig(
            transportConfig: .init(cloudHost: "chat.example"))
        #expect(config.serverDriven == .standard)
        config.searchEnabled = false
        config.keepSocketActive = true
        config.surveyCompletionDelay = 1500
        config.historyLoadingCount = 5
        config.voiceRecordingEnabled = true
        config.scrollToLatest = false
        config.linkPreviewEnabled = true
        config.showAttachButton = false
        config.keepSocketActiveDuringOperatorSession = true
        var expected = ChatLocalSettings.standard
        expected.searchEnabled = false
        expected.keepSocketActive = true
        expected.surveyCompletionDelay = 1500
        expected.historyLoadingCount = 5
        expected.voiceRecordingEnabled = true
        expected.scrollToLatest = false
        expected.linkPreviewEnabled = true
        expected.showAttachButton = false
        expected.keepSocketActiveDuringOperatorSession = true
        #expect(config.serverDriven == expected)
    }

    @Test("durations agree with the plain numbers")
    func durations() {
        var config = ChatConfig(transportConfig: .init(cloudHost: "chat.example"))
        config.surveyCompletionInterval = .milliseconds(2500)
        #expect(config.serverDriven.surveyCompletionDelay == 2500)
        #expect(config.surveyCompletionInterval == .milliseconds(2500))
        config.surveyCompletionInterval = .seconds(-1)
        #expect(config.serverDriven.surveyCompletionDelay == 0)
        config.surveyCompletionInterval = .seconds(Int64.max)
        #expect(config.serverDriven.surveyCompletionDelay == Int.max)
        config.unreadMessageCountInterval = .seconds(30)
        #expect(config.unreadMessageCountDelay == 30)
        config.unreadMessageCountDelay = -3
        #expect(config.unreadMessageCountInterval == nil)
    }

    @Test("the versions of the protocol have their documented raw values")
    func apiVersions() {
        #expect(APIVersion.allCases.map(\.rawValue) == [17, 18, 19, 20, 21])
        #expect(APIVersion(rawValue: 17) == .api17)
        #expect(APIVersion(rawValue: 16) == nil)
        #expect(ChatTransportConfig(cloudHost: "chat.example").apiVersion == .api17)
    }

    @Test("credentials are sent as headers by default")
    func auth() {
        let auth = ChatAuth()
        #expect(auth.token == nil)
        #expect(auth.scheme == nil)
        #expect(auth.method == .headers)
        #expect(auth.signature == nil)
        #expect(!auth.isEncrypted)
    }

    @Test("logging is off, with ten files of two megabytes")
    func loggerConfig() {
        let config = ChatLoggerConfig()
        #expect(config.logLevel == .off)
        #expect(config.fileByteCount == 2 * 1_048_576)
        #expect(config.fileCount == 10)
        #expect(!config.dangerouslyLogsSecrets)
        #expect(ChatLogLevel.network == [.rest, .webSocket])
        #expect(ChatLogLevel.all.isSuperset(of: [.info, .rest, .webSocket, .userInterface, .error]))
    }

    @Test("invalid numbers of the log configuration are clamped", arguments: [Int.min, -1, 0, .max])
    func loggerConfigIsClamped(number: Int) {
        let config = ChatLoggerConfig(logLevel: .all, logFileSize: number, logFilesCount: number)
        #expect((1...1024).contains(config.fileByteCount / 1_048_576))
        #expect((1...1000).contains(config.fileCount))
    }
}
