import HoldfastBase
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Lists of logs in Google's and Holdfast's format, and their signed form.
@Suite("Lists of certificate transparency logs") struct TransparencyLogListTests {
    let world: TransparencyScene

    init() throws {
        world = try TransparencyScene()
    }

    private func read(_ text: String) throws(TransparencyLogListError) -> TransparencyLogList {
        try TransparencyLogList(json: Array(text.utf8))
    }

    private func problems(_ text: String) -> [String] {
        do throws(TransparencyLogListError) {
            _ = try read(text)
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.reason)" }
        }
    }

    @Test func googlesFormatIsRead() throws {
        let tiled = world.elm.with { log in
            log.isTiled = true
            log.state = .retired
            log.formerOperators = [("Old", world.now)]
        }
        let list = try read(TestLog.googleList([world.oak, tiled, world.fir], issued: world.now))
        #expect(list.issued == world.now)
        #expect(list.logs.map(\.name) == ["oak", "fir", "elm"])
        let elm = try #require(list.log(tiled.id))
        #expect(!elm.isRFC6962 && elm.state == .retired && elm.operatorName == "Beta" && elm.since == tiled.since)
        #expect(elm.operatorName(at: world.now.advanced(bySeconds: -1)) == "Old")
        #expect(elm.operatorName(at: world.now) == "Beta")
        #expect(list.log(world.ash.id) == nil)
        #expect(list.skipped.isEmpty)
    }

    @Test func aListIsTheSameAfterWritingAndReading() throws {
        let tiled = world.elm.with { log in
            log.isTiled = true
            log.formerOperators = [("Old", world.now), ("Older", world.now.advanced(bySeconds: -9))]
        }
        var text = TestLog.googleList([world.oak, tiled], issued: world.now)
        text.replace(
            "\"mmd\": 86400",
            with: """
                "mmd": 60, "temporal_interval": { "start_inclusive": "2031-01-01T00:00:00Z", \
                "end_exclusive": "2031-07-01T00:00:00Z" }
                """)
        let list = try read(text)
        let again = try read(list.holdfastJSON)
        #expect(again == list)
        #expect(again.logs.first?.expiryBefore == Timestamp(iso8601: "2031-07-01T00:00:00Z"))
        #expect(again.logs.first?.maximumMergeDelay == 60)
        #expect(again.holdfastJSON == list.holdfastJSON)
    }

    @Test func theIdentifierMustBeTheHashOfTheKey() {
        let text = TestLog.googleList([world.oak]).replacing(
            world.oak.id.description, with: world.elm.id.description)
        #expect(
            problems(text) == [
                "operators[0].logs[0].log_id: the identifier of the log is not the SHA-256 hash of its key"
            ])
        let own = """
            { "holdfastLogList": 1, "issued": "2031-03-15T12:00:00Z", "logs": [ { "key": "\(world.oak.key.publicKeyInfo.base64)",
              "logID": "\(world.elm.id)", "operator": "A", "state": "usable", "since": "2031-01-01T00:00:00Z" } ] }
            """
        #expect(problems(own).count == 1)
        #expect(problems(own.replacing(world.elm.id.description, with: world.oak.id.description)).isEmpty)
    }

    @Test func everyProblemIsReportedWithItsPosition() throws {
        let text = """
            {
              "holdfastLogList": 2, "isued": "", "logs": [
                { "key": "AAAA", "operator": "A", "state": "usable", "since": "2031-01-01T00:00:00Z" },
                { "key": "\(world.oak.key.publicKeyInfo.base64)", "operator": 3, "state": "usable" },
                { "key": "\(world.oak.key.publicKeyInfo.base64)", "operator": "A", "state": "new",
                  "since": "2031-01-01T00:00:00Z" },
                7
              ]
            }
            """
        let error = #expect(throws: TransparencyLogListError.self) { try read(text) }
        let paths = error?.problems.map(\.path) ?? []
        #expect(
            Set(paths) == [
                "", "holdfastLogList", "issued", "logs[0].key", "logs[1].operator", "logs[2].state", "logs[3]",
                "logs[3].key",
            ])
        #expect(error?.problems.first { $0.path == "logs[0].key" }?.position?.line == 3)
        #expect(error?.description.hasPrefix("The list of logs cannot be read: ") == true)
    }

    @Test(arguments: ["", "[]", "{}", "null", "{\"operators\": 1, \"log_list_timestamp\": \"2031-01-01\"}"])
    func malformedListsAreRefused(_ text: String) {
        #expect(!problems(text).isEmpty)
    }

    @Test func aLogTwiceIsRefused() {
        #expect(problems(TestLog.googleList([world.oak, world.oak])).count == 1)
    }

    @Test func logsThatCannotBeUsedAreSkippedAndListed() throws {
        let p384 = try TestLog("p384", operator: "Delta", .p384)
        var text = TestLog.googleList([world.oak, p384])
        #expect(try read(text).skipped.count == 1)
        #expect(try read(text).logs.map(\.name) == ["oak"])
        text = TestLog.googleList([world.oak]).replacing("\"usable\"", with: "\"suspended\"")
        let list = try read(text)
        #expect(list.logs.isEmpty && list.skipped.count == 1)
        let weak = try TestLog("weak", operator: "Delta", .rsa1024)
        #expect(try read(TestLog.googleList([weak])).skipped.count == 1)
    }

    @Test func limitsHaveTheirOwnErrors() {
        let large = String(repeating: " ", count: TransparencyLogList.maximumSize) + "{}"
        #expect(problems(large).first?.contains("the limit is") == true)
        let many =
            "{ \"holdfastLogList\": 1, \"issued\": \"2031-03-15T12:00:00Z\", \"logs\": ["
            + Array(repeating: "1", count: TransparencyLogList.maximumLogs + 1).joined(separator: ",") + "] }"
        #expect(
            problems(many).contains { $0.contains("more than \(TransparencyLogList.maximumLogs) logs") }
                || problems(many).count == 1_000)
    }

    // MARK: - Signed lists

    @Test func aSignedListIsReadOnlyWithItsKeyAndForItsApplication() throws {
        let key = BundleSigningKey(generating: .ed25519, id: "logs-1")
        let json = Array(TestLog.googleList(world.all, issued: world.now).utf8)
        let bytes = try SignedLogList.sign(list: json, application: "shop", with: key)
        let keys = [try LogListKey(id: "logs-1", publicKey: Array(key.publicKeyPEM.utf8))]
        let signed = try SignedLogList(bytes, keys: keys, application: "shop")
        #expect(signed.list == (try TransparencyLogList(json: json)))
        func code(_ bytes: [UInt8], _ keys: [LogListKey], _ application: String = "shop") -> BundleError.Code? {
            do throws(BundleError) {
                _ = try SignedLogList(bytes, keys: keys, application: application)
                return nil
            } catch { return error.code }
        }
        #expect(code(bytes, keys, "other") == .wrongApplication)
        #expect(code(bytes, []) == .unknownKey)
        let other = BundleSigningKey(generating: .ed25519, id: "logs-1")
        #expect(code(bytes, [try LogListKey(id: "logs-1", publicKey: Array(other.publicKeyPEM.utf8))]) == .badSignature)
        #expect(code(Array(bytes.dropLast(3)), keys) == .malformed)
        #expect(code(Array(repeating: 32, count: SignedLogList.maximumSize + 1), keys) == .tooLarge)
        #expect(throws: BundleError.self) { try SignedLogList.sign(list: [1], application: "shop", with: key) }
        #expect(throws: BundleError.self) { try SignedLogList.sign(list: json, application: "", with: key) }
    }

    /// An operator uses one key for everything. An attacker presents a halt as a list of logs.
    @Test func aSignatureOfAnotherKindIsNotValidForAList() throws {
        let key = BundleSigningKey(generating: .ed25519, id: "one")
        let json = TestLog.googleList(world.all)
        let keys = [try LogListKey(id: "one", publicKey: Array(key.publicKeyPEM.utf8))]
        let fields: [(String, JSONNode.Value?)] = [("application", .string("shop")), ("list", .string(json))]
        let halt = String(decoding: try SignedStatement.sign(fields, .timestamp, with: key), as: UTF8.self)
        let renamed = halt.replacing("holdfastTimestamp", with: "holdfastSignedLogList")
        let error = #expect(throws: BundleError.self) {
            try SignedLogList(Array(renamed.utf8), keys: keys, application: "shop")
        }
        #expect(error?.code == .badSignature)
        // With the prefix of its own, the same payload is accepted.
        let list = try SignedStatement.sign(fields, .logList, with: key)
        #expect(try SignedLogList(list, keys: keys, application: "shop").list.logs.count == 4)
    }
}
