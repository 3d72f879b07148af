import HTTPTypes
import PinReportDesk
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Sessions of the report desk")
struct DeskSessionsTests {
    private var sessions = DeskSessions()

    @Test mutating func aSessionLivesWhileItIsUsed() throws {
        sessions.begin(id: "a", name: "Ada", form: "f", at: 0)
        let used = sessions.use("a", at: DeskSessions.idleTime - 1)
        let session = try #require(used)
        #expect(session.name == "Ada")
        #expect(sessions.use("b", at: 0) == nil)
        #expect(sessions.use("a", at: 2 * DeskSessions.idleTime - 2) == session)
        #expect(sessions.use("a", at: 3 * DeskSessions.idleTime - 2) == nil)
    }

    @Test mutating func aSessionEndsAfterADay() {
        sessions.begin(id: "a", name: "Ada", form: "f", at: 0)
        var time: Int64 = 0
        while time < DeskSessions.longestTime {
            #expect(sessions.use("a", at: time) != nil)
            time += DeskSessions.idleTime / 2
        }
        #expect(sessions.use("a", at: time) == nil)
    }

    @Test mutating func lookingWhetherASessionLivesIsNoUse() throws {
        sessions.begin(id: "a", name: "Ada", form: "f", at: 0)
        let used = sessions.use("a", at: 0)
        let number = try #require(used).number
        #expect(sessions.isLive(number, at: DeskSessions.idleTime - 1) == true)
        #expect(sessions.isLive(number, at: DeskSessions.idleTime) == false)
    }

    @Test mutating func theSessionThatWasUsedLeastRecentlyEndsFirst() {
        for number in 0..<DeskSessions.limit {
            sessions.begin(id: "\(number)", name: "x", form: "f", at: Int64(number))
        }
        #expect(sessions.use("0", at: 1_000) != nil)
        sessions.begin(id: "new", name: "x", form: "f", at: 1_001)
        #expect(sessions.use("1", at: 1_002) == nil)
        #expect(sessions.use("0", at: 1_002) != nil)
        #expect(sessions.use("new", at: 1_002) != nil)
    }

    @Test mutating func anEndedSessionIsUnknown() {
        sessions.begin(id: "a", name: "Ada", form: "f", at: 0)
        #expect(sessions.end("a")?.name == "Ada")
        #expect(sessions.end("a") == nil)
        #expect(sessions.use("a", at: 1) == nil)
    }

    @Test mutating func aOneTimeTokenWorksOnceAndForFifteenMinutes() {
        sessions.addOneTime("t", at: 0)
        #expect(sessions.takeOneTime("u", at: 1) == false)
        #expect(sessions.takeOneTime("t", at: 1) == true)
        #expect(sessions.takeOneTime("t", at: 2) == false)
        sessions.addOneTime("late", at: 0)
        #expect(sessions.takeOneTime("late", at: DeskSessions.oneTimeTime) == false)
    }

    @Test mutating func theOldestOneTimeTokenBecomesInvalidFirst() {
        for number in 0...DeskSessions.oneTimeLimit { sessions.addOneTime("\(number)", at: 0) }
        #expect(sessions.takeOneTime("0", at: 1) == false)
        #expect(sessions.takeOneTime("1", at: 1) == true)
        #expect(sessions.takeOneTime("\(DeskSessions.oneTimeLimit)", at: 1) == true)
    }
}

@Suite("Paths and parameters of the report desk")
struct DeskRouteTests {
    @Test func everyPathHasItsRoute() {
        let routes: [(String, DeskRoute?)] = [
            ("/desk", .root), ("/desk/incidents", .incidents), ("/desk/incidents.csv", .incidentsCSV),
            ("/desk/incidents/7", .incident(7)), ("/desk/incidents/7.json", .incidentJSON(7)),
            ("/desk/incidents/7/state", .state(7)), ("/desk/incidents/7/policy-draft.json", .draft(7)),
            ("/desk/reports/9", .report(9)), ("/desk/reports/9.json", .reportJSON(9)),
            ("/desk/desk.js", .file("desk.js")),
            ("/desk/incidents/0", .unknown), ("/desk/incidents/-1", .unknown), ("/desk/incidents/+1", .unknown),
            ("/desk/incidents/99999999999999999999", .unknown), ("/desk/incidents/7/", .unknown),
            ("/desk/../reports", .unknown), ("/desk/%64esk.js", .unknown), ("/deskx", nil), ("/reports", nil),
        ]
        for (path, route) in routes { #expect(DeskRoute(path) == route, "\(path)") }
    }

    @Test func emptyParametersOfAFormDoNotCount() throws {
        let parameters = try IncidentParameters("host=&app=&state=&since=")
        #expect(!parameters.filter.isActive)
        #expect(parameters.text.isEmpty)
    }

    @Test func aFilterIsRepeatedInLinks() throws {
        let parameters = try IncidentParameters("host=API.Example.com&app=a%26b%3D%22&state=cameBack&since=2031-03-01")
        #expect(parameters.query.host == "api.example.com")
        #expect(parameters.query.app == "a&b=\"")
        #expect(parameters.query.state == .cameBack)
        #expect(parameters.text == "app=a%26b%3D%22&host=api.example.com&state=cameBack&since=2031-03-01")
        let next = parameters.text(before: IncidentCursor(lastSeen: Sample.time, id: 3))
        #expect(try IncidentParameters(Substring(next)).query.before == IncidentCursor(lastSeen: Sample.time, id: 3))
    }

    @Test(arguments: [
        "x=1", "host=a&host=b", "host=a%20b", "state=open", "since=yesterday", "before=x", "limit=0", "limit=201",
        "host=%zz",
    ])
    func otherParametersAreRefused(query: String) {
        #expect(throws: DeskFailure.self) { try IncidentParameters(Substring(query)) }
    }
}

@Suite("Pages that follow the report desk")
struct DeskHubTests {
    private let hub = DeskHub(firstVersion: 5)

    @Test func aPageGetsTheCurrentVersionAndEachChange() async throws {
        let seat = try #require(hub.follow(1))
        hub.changed()
        hub.changed()
        hub.close()
        var versions: [UInt64] = []
        for await version in seat.versions { versions.append(version) }
        #expect(versions == [5, 6, 7])
    }

    @Test func aSlowPageKeepsOnlyTheNewestVersions() async throws {
        let seat = try #require(hub.follow(1))
        for _ in 0..<1_000 { hub.changed() }
        hub.end(1)
        var versions: [UInt64] = []
        for await version in seat.versions { versions.append(version) }
        #expect(versions == [1_002, 1_003, 1_004, 1_005])
    }

    @Test func seatsAreLimitedForEachSessionAndInTotal() {
        for _ in 0..<DeskHub.sessionLimit { #expect(hub.follow(1) != nil) }
        #expect(hub.follow(1) == nil)
        for session in 2...8 {
            for _ in 0..<DeskHub.sessionLimit { #expect(hub.follow(session) != nil) }
        }
        #expect(hub.count == DeskHub.limit)
        #expect(hub.follow(9) == nil)
        hub.end(1)
        #expect(hub.count == DeskHub.limit - DeskHub.sessionLimit)
        #expect(hub.follow(9) != nil)
    }

    @Test func aStoppingServerAcceptsNoPage() {
        hub.close()
        #expect(hub.follow(1) == nil)
    }
}
