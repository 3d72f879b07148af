import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportDesk

@Suite("Diagnosis of an incident")
struct IncidentDiagnosisTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    // MARK: Rotations

    @Test func aValidCertificateWithAKeyThatNobodyPinsIsARotationToAnUnknownKey() throws {
        let diagnosis = try #require(IncidentDiagnosis.rotationToUnknownKey(scene.evidence))
        #expect(diagnosis.evidence.contains { $0.contains(scene.pin(scene.changed)) })
        #expect(diagnosis.evidence.contains { $0.contains("Ask the server's operator") })
        #expect(scene.kinds(scene.evidence) == [.rotationToUnknownKey])
    }

    @Test func aPinnedKeyOnTheChainIsNoRotation() {
        var evidence = scene.evidence
        evidence.expectedPins.append(scene.pin(scene.publicRoot))
        #expect(IncidentDiagnosis.rotationToUnknownKey(evidence) == nil)
        #expect(IncidentDiagnosis.rotationToKnownBackup(evidence) == nil)
        #expect(scene.kinds(evidence) == [.unknown])
        #expect(IncidentDiagnosis.unknown(evidence).evidence.first?.contains("the pinned key") == true)
    }

    @Test func aChainThatTheAppRefusedIsNoRotation() {
        var evidence = scene.evidence
        evidence.result = .failedInvalidCertificateChain
        #expect(IncidentDiagnosis.rotationToUnknownKey(evidence) == nil)
        #expect(IncidentDiagnosis.rotationToKnownBackup(evidence) == nil)
    }

    @Test func aForeignRootIsNoRotationToAnUnknownKey() {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.intercepted, scene.foreignRoot)
        #expect(IncidentDiagnosis.rotationToUnknownKey(evidence) == nil)
        #expect(scene.kinds(evidence) == [.unknown])
        // Without known authorities, the app's own path decides.
        evidence.authorities = PublicAuthorities()
        #expect(IncidentDiagnosis.rotationToUnknownKey(evidence) != nil)
    }

    @Test func aReportOfRFC7469HasNoResultAndIsARotation() {
        var evidence = scene.evidence
        evidence.result = nil
        #expect(scene.kinds(evidence) == [.rotationToUnknownKey])
    }

    @Test func aKeyOfANewerBundleIsAKnownBackup() throws {
        var evidence = scene.evidence
        evidence.catalog = PolicyCatalog([
            try scene.policy([scene.pin(scene.current), Scene.backup], version: 12),
            try scene.policy([scene.pin(scene.current), scene.pin(scene.changed)], version: 13),
        ])
        let diagnosis = try #require(IncidentDiagnosis.rotationToKnownBackup(evidence))
        #expect(diagnosis.evidence.contains { $0.contains("version 13") })
        #expect(scene.kinds(evidence) == [.rotationToKnownBackup])
    }

    @Test func aKeyOfAnotherAppsBundleIsNotKnown() throws {
        var evidence = scene.evidence
        var policy = try scene.policy([scene.pin(scene.changed), Scene.backup], version: 13)
        policy.application = "com.example.other"
        evidence.catalog = PolicyCatalog([policy])
        #expect(scene.kinds(evidence) == [.rotationToUnknownKey])
    }

    @Test func aKeyThatABundleListsForAnotherHostIsNotKnown() throws {
        var evidence = scene.evidence
        var policy = try scene.policy([scene.pin(scene.changed), Scene.backup], version: 13)
        policy.document.domains[0].pattern = try HostPattern("**.example.org")
        evidence.catalog = PolicyCatalog([policy])
        #expect(scene.kinds(evidence) == [.rotationToUnknownKey])
    }

    // MARK: Others who answer

    @Test func aCertificateForAnotherHostIsACaptivePortal() throws {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.elsewhere, scene.publicRoot)
        let diagnosis = try #require(IncidentDiagnosis.captivePortal(evidence))
        #expect(diagnosis.evidence.first?.contains("login.hotel.example") == true)
        #expect(scene.kinds(evidence) == [.captivePortal])
    }

    @Test func aCertificateForTheHostIsNoCaptivePortal() throws {
        #expect(IncidentDiagnosis.captivePortal(scene.evidence) == nil)
        var wildcard = scene.evidence
        wildcard.host = try CanonicalHost("a.cdn.example.com")
        #expect(IncidentDiagnosis.captivePortal(wildcard) == nil)
        // A wildcard covers one label only.
        wildcard.host = try CanonicalHost("a.b.cdn.example.com")
        #expect(IncidentDiagnosis.captivePortal(wildcard) != nil)
    }

    /// The page shows the first 100 names of a certificate only, but the host can be any of them.
    @Test func aHostBehindTheShownNamesIsNoCaptivePortal() throws {
        let names = (0..<150).map { "host\($0).example.com" } + ["api.example.com"]
        let many = try CertificateFactory().leaf(names, signedBy: scene.publicRoot)
        var evidence = scene.evidence
        evidence.chain = scene.chain(many, scene.publicRoot)
        #expect(IncidentDiagnosis.captivePortal(evidence) == nil)
        let leaf = try #require(evidence.chain.leaf)
        #expect(leaf.names == Array(names.prefix(DecodedCertificate.nameLimit)) && leaf.nameCount == 151)
    }

    @Test func manyHostsWithOneForeignRootAreAnInterception() throws {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.intercepted, scene.foreignRoot)
        evidence.hostsWithSameRoot = ["a.example.com", "b.example.org"]
        let diagnosis = try #require(IncidentDiagnosis.interception(evidence))
        #expect(diagnosis.evidence.first?.contains("3 hosts") == true)
        #expect(diagnosis.evidence.contains { $0.contains("has installed it") })
        #expect(scene.kinds(evidence) == [.interception])
    }

    @Test func twoHostsOrAPublicRootAreNoInterception() {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.intercepted, scene.foreignRoot)
        evidence.hostsWithSameRoot = ["a.example.com"]
        #expect(IncidentDiagnosis.interception(evidence) == nil)
        evidence = scene.evidence
        evidence.hostsWithSameRoot = ["a.example.com", "b.example.org", "c.example.net"]
        #expect(IncidentDiagnosis.interception(evidence) == nil)
    }

    @Test func withoutKnownAuthoritiesOnlyARefusedChainIsAnInterception() {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.intercepted, scene.foreignRoot)
        evidence.hostsWithSameRoot = ["a.example.com", "b.example.org"]
        evidence.authorities = PublicAuthorities()
        #expect(IncidentDiagnosis.interception(evidence) == nil)
        evidence.result = .failedInvalidCertificateChain
        #expect(IncidentDiagnosis.interception(evidence) != nil)
    }

    @Test func aSelfIssuedCertificateWithThePublicNameIsForeign() throws {
        let impostor = try CertificateFactory().authority("Public Root")
        #expect(scene.authorities.trusts(scene.chain(scene.changed, impostor)) == false)
        #expect(scene.authorities.trusts(scene.chain(scene.changed, scene.publicRoot)) == true)
        #expect(scene.authorities.trusts(scene.chain(scene.changed)) == true)
        #expect(PublicAuthorities().trusts(scene.chain(scene.changed)) == nil)
    }

    // MARK: Clocks and dates

    /// The times of reports, relative to the end of the server's certificate.
    private func clocks(_ reported: Int64, _ received: Int64) throws -> IncidentEvidence.Clocks {
        let end = try #require(scene.changed.view.notAfter)
        return .init(reportedAt: end.advanced(bySeconds: reported), receivedAt: end.advanced(bySeconds: received))
    }

    @Test func aCertificateThatWasExpiredOnArrivalHasExpired() throws {
        var evidence = scene.evidence
        evidence.result = .failedInvalidCertificateChain
        evidence.chain = scene.chain(scene.changed)
        evidence.clocks = [try clocks(10, 20)]
        #expect(scene.kinds(evidence) == [.expiredCertificate])
        // Valid until its last second, inclusive.
        evidence.clocks = [try clocks(0, 0)]
        #expect(IncidentDiagnosis.expiredCertificate(evidence) == nil)
    }

    @Test func aCertificateThatIsValidOnArrivalShowsAWrongClock() throws {
        var evidence = scene.evidence
        evidence.result = .failedInvalidCertificateChain
        evidence.chain = scene.chain(scene.changed)
        evidence.clocks = [try clocks(86_400, -86_400), try clocks(86_400, -3_600), try clocks(-60, -60)]
        let diagnosis = try #require(IncidentDiagnosis.wrongClock(evidence))
        #expect(diagnosis.evidence.first?.hasPrefix("2 of 3") == true)
        #expect(diagnosis.evidence.contains { $0.contains("in the future") })
        #expect(scene.kinds(evidence) == [.wrongClock])
    }

    @Test func fewWrongClocksAreNotTheCause() throws {
        var evidence = scene.evidence
        evidence.result = .failedInvalidCertificateChain
        evidence.chain = scene.chain(scene.changed)
        evidence.clocks = [try clocks(86_400, -60), try clocks(-60, -60)]
        #expect(IncidentDiagnosis.wrongClock(evidence) == nil)
    }

    @Test func aPinMismatchIsNeitherExpiredNorAWrongClock() throws {
        var evidence = scene.evidence
        evidence.chain = scene.chain(scene.changed)
        evidence.clocks = [try clocks(86_400, -60)]
        #expect(IncidentDiagnosis.wrongClock(evidence) == nil)
        evidence.clocks = [try clocks(10, 20)]
        #expect(IncidentDiagnosis.expiredCertificate(evidence) == nil)
    }

    @Test(arguments: [(30 * 86_400, true), (30 * 86_400 + 1, false), (0, true), (-86_400, true)])
    func pinsThatEndWithin30DaysEndSoon(seconds: Int, isSoon: Bool) {
        var evidence = scene.evidence
        evidence.pinsEnd = Scene.now.advanced(bySeconds: Int64(seconds))
        #expect((IncidentDiagnosis.policyEndsSoon(evidence) != nil) == isSoon)
        #expect(scene.kinds(evidence).last == (isSoon ? .policyEndsSoon : .rotationToUnknownKey))
    }

    // MARK: Nothing fits

    @Test func aReportWithoutCertificatesHasNoCause() {
        var evidence = scene.evidence
        evidence.chain = DecodedChain([nil])
        #expect(scene.kinds(evidence) == [.unknown])
        #expect(IncidentDiagnosis.unknown(evidence).evidence == ["No stored report contains a readable certificate."])
    }

    @Test(arguments: IncidentDiagnosis.Kind.allCases)
    func eachDiagnosisHasWordsAndAdvice(kind: IncidentDiagnosis.Kind) {
        #expect(!kind.title.isEmpty)
        #expect(!kind.advice.isEmpty)
    }
}
