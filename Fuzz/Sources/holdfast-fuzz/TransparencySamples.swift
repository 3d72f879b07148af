import HoldfastTestSupport
import HoldfastTrust

/// Lists of certificate timestamps and of logs.
enum TransparencySamples {
    typealias Samples = [(name: String, bytes: [UInt8])]

    static func timestamps(_ factory: CertificateFactory) throws -> Samples {
        let logs = try self.logs()
        let items = try logs.map { log in
            try log.timestamp(
                over: [1, 2, 3], issuerKeyHash: Array(repeating: 4, count: 32), milliseconds: 1_931_342_400_000,
                extensions: log.isTiled ? [0, 0, 5, 0, 0, 0, 0, 7] : [])
        }
        func list(_ items: [[UInt8]]) -> [UInt8] { TestLog.vector(items.flatMap { TestLog.vector($0, 2) }, 2) }
        return [
            ("two", list(items)), ("unknown-version", list([[1, 2, 3], items[0]])), ("one", list([items[1]])),
            ("short", list([Array(items[0].prefix(50))])),
        ]
    }

    static func logLists(_ factory: CertificateFactory) throws -> Samples {
        let logs = try self.logs()
        let google = TestLog.googleList(logs, issued: factory.now)
        let own = try TransparencyLogList(json: Array(google.utf8)).holdfastJSON
        let signed = try SignedLogList.sign(
            list: Array(own.utf8), application: "fuzzing", with: BundleSigningKey(generating: .ed25519, id: "one"))
        return [("google", Array(google.utf8)), ("holdfast", Array(own.utf8)), ("signed", signed)]
    }

    private static func logs() throws -> [TestLog] {
        let tiled = try TestLog("elm", operator: "Beta").with { log in
            log.isTiled = true
            log.state = .retired
            log.formerOperators = [("Old", CertificateFactory.referenceTime)]
        }
        return [try TestLog("oak", operator: "Alpha"), tiled]
    }
}
