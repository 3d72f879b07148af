public import HoldfastTrust

extension TrustContext {
    /// What Alamofire's manager decides, for Holdfast's transports:
    /// `HTTPClientTransport(configuration: TransportConfiguration(trust: .serverTrustManager(manager)))`.
    ///
    /// An evaluator that leaves out a part of the system verification (`performDefaultValidation: false`, `validateHost: false`,
    /// ``DisabledTrustEvaluator``, one of the app's own) is asked after it, and can only refuse. With
    /// `dangerouslyReplacingSystemTrust` it is asked in its place, as in Alamofire: what it does not check, nobody does. A host
    /// for which the manager has no evaluator is left to the system verification, or refused where one is required.
    public static func serverTrustManager(
        _ manager: ServerTrustManager, anchors: TrustAnchors = .system, dangerouslyReplacingSystemTrust: Bool = false
    ) -> TrustContext {
        let name = "server trust manager"
        return TrustContext(name: name) { chain, subject, time in
            do {
                guard let found = try manager.serverTrustEvaluator(forHost: subject.host.text) else {
                    return .now(TrustEngine(anchors: anchors).evaluate(chain, for: subject, at: time, named: name))
                }
                let evaluator = EvaluatingBridge.evaluator(for: found, replacing: dangerouslyReplacingSystemTrust)
                return TrustContext.evaluators([subject.host.text: evaluator], anchors: anchors)
                    .judge(chain, for: subject, at: time)
            } catch {
                let finding = TrustFinding(.policyRequired, Printable.text("\(error)"))
                return .now(.blocked(finding, chain, subject, time, name: name))
            }
        }
    }
}
