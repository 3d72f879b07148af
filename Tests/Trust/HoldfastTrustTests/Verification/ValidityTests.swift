import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Validity dates")
struct ValidityTests {
    /// The certificate of the path with the tested dates.
    enum Place: CaseIterable {
        case leaf, intermediate, root
    }

    let scene = TrustScene()
    let start: Timestamp
    let end: Timestamp

    init() {
        start = scene.now
        end = scene.now.advanced(bySeconds: 3_600)
    }

    private func world(_ place: Place) throws -> (chain: [Identity], root: Identity) {
        func options(_ own: Place) -> CertificateOptions {
            own == place ? .init(notBefore: start, notAfter: end) : .init()
        }
        let root = try scene.factory.authority("Root", options(.root))
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, options(.intermediate))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, options(.leaf))
        return ([leaf, issuing], root)
    }

    @Test("both ends are inclusive, to the second", arguments: Place.allCases)
    func boundaries(place: Place) throws {
        let (chain, root) = try world(place)
        for time in [start, start.advanced(bySeconds: 1), end] {
            #expect(try scene.system(chain, anchors: [root], at: time).decision == .allow)
        }
        let early = try scene.system(chain, anchors: [root], at: start.advanced(bySeconds: -1))
        expectOnly(.notYetValid, early)
        #expect(early.finding.facts.notBefore == start)
        let late = try scene.system(chain, anchors: [root], at: end.advanced(bySeconds: 1))
        expectOnly(.expired, late)
        #expect(late.finding.facts.notAfter == end)
        #expect(late.finding.facts.time == end.advanced(bySeconds: 1))
        #expect(late.finding.reason.contains("\(end)"))
    }

    @Test("accepts an expired server only if dates are not checked", arguments: Place.allCases)
    func switchedOff(place: Place) throws {
        let (chain, root) = try world(place)
        let late = end.advanced(bySeconds: 1)
        #expect(try scene.outcome(chain, anchors: [root], at: late, scene.options()).path == nil)
        #expect(
            try scene.outcome(chain, anchors: [root], at: late, scene.options { $0.checksDates = false }).path != nil)
    }

    @Test(
        "accepts dates before and after 2050, and before 1970",
        arguments: [-1, 2_524_607_999, 2_524_608_000, 4_102_444_799])
    func farDates(seconds: Int64) throws {
        let time = Timestamp(secondsSince1970: seconds)
        let factory = CertificateFactory(now: time)
        let root = try factory.authority("Root")
        let leaf = try factory.leaf([TrustScene.host], signedBy: root, .init(notBefore: time, notAfter: time))
        #expect(try scene.system([leaf], anchors: [root], at: time).decision == .allow)
        #expect(
            try scene.system([leaf], anchors: [root], at: time.advanced(bySeconds: 1)).finding.code == .expired)
    }

    @Test("treats GeneralizedTime like UTCTime, also before 2050 (RFC 5280, 4.1.2.5)", arguments: Place.allCases)
    func generalizedTime(place: Place) throws {
        func options(_ own: Place) -> CertificateOptions {
            .with {
                $0.usesGeneralizedTime = own == place
                $0.notBefore = own == place ? start : nil
                $0.notAfter = own == place ? end : nil
            }
        }
        let root = try scene.factory.authority("Root", options(.root))
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, options(.intermediate))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, options(.leaf))
        let written = [root, issuing, leaf].map { $0.certificateDER.firstRange(of: Array("20310315120000Z".utf8)) }
        #expect(written.count { $0 != nil } == 1)
        for time in [start, end] {
            #expect(try scene.system([leaf, issuing], anchors: [root], at: time).decision == .allow)
        }
        let early = try scene.system([leaf, issuing], anchors: [root], at: start.advanced(bySeconds: -1))
        expectOnly(.notYetValid, early)
        let late = try scene.system([leaf, issuing], anchors: [root], at: end.advanced(bySeconds: 1))
        expectOnly(.expired, late)
    }

    @Test("the century of a UTCTime changes at 50, that of a GeneralizedTime never (PKITS 4.2.3, 4.2.4, 4.2.8)")
    func centuries() throws {
        let root = try scene.factory.authority("Root")
        // The dates are 1950-01-01, 2002-01-01 and 2050-01-01.
        for start in [-631_152_000, 1_009_843_200] {
            for usesGeneralizedTime in [true, false] {
                let leaf = try scene.factory.leaf(
                    [TrustScene.host], signedBy: root,
                    .with {
                        $0.usesGeneralizedTime = usesGeneralizedTime
                        $0.notBefore = Timestamp(secondsSince1970: Int64(start))
                        $0.notAfter = Timestamp(secondsSince1970: 2_524_608_000)
                    })
                #expect(leaf.view.notBefore?.secondsSince1970 == Int64(start))
                #expect(leaf.view.notAfter?.secondsSince1970 == 2_524_608_000)
                #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
            }
        }
    }

    @Test("a validity that ends before it starts contains no instant")
    func reversed() throws {
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(notBefore: end, notAfter: start))
        expectOnly(.notYetValid, try scene.system([leaf], anchors: [root], at: start.advanced(bySeconds: -1)))
        expectOnly(.notYetValid, try scene.system([leaf], anchors: [root], at: start))
        expectOnly(.expired, try scene.system([leaf], anchors: [root], at: end))
    }

    @Test("extreme times do not trap", arguments: [Int64.min, .max, 0])
    func extremes(seconds: Int64) throws {
        let (chain, root) = try world(.leaf)
        let verdict = try scene.system(chain, anchors: [root], at: Timestamp(secondsSince1970: seconds))
        #expect(verdict.decision == .block)
        #expect(!verdict.description.isEmpty)
    }
}
