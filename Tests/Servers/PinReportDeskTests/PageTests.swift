import Foundation
import HoldfastTestSupport
import HoldfastTrust
import PinReports
import ServerMarkup
import Testing

@testable import PinReportDesk

@Suite("Pages of the report desk")
struct PageTests {
    private let scene: Scene
    private static let hostile = "\"><img src=x onerror=hacked(1)>'</title><script>hacked(2)</script>\u{202E}"

    init() throws {
        scene = try Scene.shared.get()
    }

    private var pages: ReportDeskPages {
        ReportDeskPages(
            visitor: DeskVisitor(name: Self.hostile, form: "f0f0", version: 42), now: Scene.now)
    }

    private func summary(_ app: String = Scene.app, state: IncidentState = .new) -> IncidentSummary {
        IncidentSummary(
            id: 7, key: IncidentKey(app: app, host: "api.example.com", result: 1, seenPin: scene.pin(scene.changed)),
            state: state, firstSeen: Scene.now, lastSeen: Scene.now, count: 12, clients: 3, isExact: true)
    }

    private func view(_ evidence: IncidentEvidence? = nil, state: IncidentState = .new) -> IncidentView {
        let detail = IncidentDetail(
            summary: summary(Self.hostile, state: state),
            appVersions: [FacetCount(value: Self.hostile, count: 12)],
            policyVersions: [FacetCount(value: "12", count: 10), FacetCount(value: "13", count: 2)],
            platforms: [FacetCount(value: "IOS 18", count: 12)],
            hours: [HourCount(hour: Scene.now, count: 12)], samples: [5], knownPins: [Scene.backup],
            history: [StateChange(state: .acknowledged, at: Scene.now, by: Self.hostile)])
        return IncidentView(detail: detail, evidence: evidence ?? scene.evidence, sample: 5, port: 443)
    }

    /// Whether a page contains no markup of a hostile text, no inline code, and nothing of another origin.
    private func isSafe(_ page: HTML) -> Bool {
        let text = page.text
        return !text.contains("<img") && !text.contains("<script>") && !text.contains(" style=")
            && !text.contains("onerror=hacked(1)>") && !text.contains("src=\"http") && !text.contains("href=\"http")
    }

    @Test func hostileTextsAreTextOnEveryPage() throws {
        var filter = IncidentFilter()
        filter.app = Self.hostile
        let list = IncidentListView(
            filter: filter, incidents: [summary(Self.hostile)], nextQuery: "before=1.2", query: "app=x",
            counts: [.new: 1],
            reports: 12, lastHour: 3)
        #expect(isSafe(pages.incidents(list, notice: Self.hostile)))
        #expect(isSafe(pages.incident(view(), notice: Self.hostile)))
        let report = ReportView(id: 5, receivedAt: Scene.now, decoded: nil, details: Self.hostile)
        #expect(isSafe(pages.report(report)))
        let rollout = RolloutView(
            name: Self.hostile, application: Self.hostile, version: 3, notAfter: Scene.now,
            stages: [.init(begins: Scene.now, share: 150, limits: Self.hostile)], decision: Self.hostile,
            haltCommand: Self.hostile)
        #expect(isSafe(pages.rollouts([rollout])))
        #expect(
            isSafe(ReportDeskPages.signIn(form: "f", name: Self.hostile, oneTime: Self.hostile, notice: Self.hostile)))
        #expect(isSafe(ReportDeskPages.refusal(Self.hostile)))
    }

    @Test func hostileCertificatesAreText() throws {
        let factory = CertificateFactory()
        let root = try factory.authority("<script>hacked(1)</script>")
        let leaf = try factory.leaf(["<img src=x>.example.com"], signedBy: root)
        var evidence = scene.evidence
        evidence.chain = scene.chain(leaf, root)
        let page = pages.incident(view(evidence))
        #expect(isSafe(page))
        #expect(page.text.contains("&lt;script&gt;hacked(1)"))
    }

    @Test func everyFormOfASessionHasItsToken() {
        for page in [pages.incident(view()), pages.rollouts([])] {
            let forms = page.text.components(separatedBy: "method=\"post\"").count - 1
            let tokens = page.text.components(separatedBy: "name=\"form\" value=\"f0f0\"").count - 1
            #expect(forms >= 1)
            #expect(forms == tokens)
        }
    }

    @Test(arguments: [
        (IncidentState.new, ["acknowledged", "resolved"]), (.acknowledged, ["resolved"]), (.resolved, ["acknowledged"]),
        (.cameBack, ["acknowledged", "resolved"]),
    ])
    func onlyPossibleChangesHaveAButton(state: IncidentState, buttons: [String]) {
        let text = pages.incident(view(state: state)).text
        #expect(
            ["new", "acknowledged", "resolved", "cameBack"].filter { text.contains("<button id=\"\($0)\"") } == buttons)
    }

    @Test func anIncidentShowsCauseDraftProbeAndAffectedVersions() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 12),
            try scene.policy([scene.pin(scene.current), scene.pin(scene.changed)], version: 13),
        ])
        let shown = view(evidence)
        #expect(shown.affected.map(\.knowledge) == [.lacksKey, .listsKey])
        let text = pages.incident(shown).text
        #expect(text.contains("data-kind=\"rotationToKnownBackup\""))
        #expect(text.contains("/desk/incidents/7/policy-draft.json"))
        #expect(text.contains("holdfast probe api.example.com --policy POLICY.json"))
        #expect(text.contains("holdfast bundle sign policy-draft.json"))
        #expect(text.contains("no: still affected"))
        #expect(text.contains("data-expected=\"false\""))
    }

    @Test func anInterceptionOffersNoDraft() {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.intercepted, scene.foreignRoot)
        evidence.hostsWithSameRoot = ["a.example", "b.example"]
        let text = pages.incident(view(evidence)).text
        #expect(text.contains("id=\"no-draft\""))
        #expect(!text.contains("id=\"draft\""))
        #expect(!text.contains("bundle sign"))
    }

    @Test func anEmptyListSaysWhy() {
        var view = IncidentListView(
            filter: IncidentFilter(), incidents: [], nextQuery: nil, query: "", counts: [:], reports: 0, lastHour: 0)
        #expect(pages.incidents(view).text.contains("No report has arrived yet."))
        view.filter.host = "api.example.com"
        #expect(pages.incidents(view).text.contains("No incident matches the filter."))
    }

    @Test func sharesAreExact() {
        #expect(
            [1, 10, 100, 150, 1_234, 10_000, -5, 20_000].map(ReportDeskPages.percent)
                == ["0.01 %", "0.1 %", "1 %", "1.5 %", "12.34 %", "100 %", "0 %", "100 %"])
    }

    @Test func eachFileHasAnAddressWithADigest() {
        for file in ReportDeskFiles.all {
            #expect(file.address.hasPrefix("/desk/\(file.name)?v="))
            #expect(!file.bytes.isEmpty)
        }
    }
}
