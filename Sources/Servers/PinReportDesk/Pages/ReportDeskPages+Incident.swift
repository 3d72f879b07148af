import HoldfastTrust
import PinReports
package import ServerMarkup

extension ReportDeskPages {
    /// Returns the page of one incident.
    package func incident(_ view: IncidentView, notice: String? = nil) -> HTML {
        let summary = view.detail.summary
        return page(
            "\(summary.key.host)", current: "", notice: notice,
            """
            <h1>Incident \(summary.id): <bdi>\(summary.key.host)</bdi></h1>\(facts(view.detail))\(actions(summary))\
            \(diagnosis(view))\(remedy(view))\(chainSection(view))\(keys(view))\(numbers(view))\(samples(view.detail))\
            \(history(view.detail))\
            <p class="exports">Export: <a href="\(DeskPaths.incident(summary.id)).json">JSON</a></p>
            """)
    }

    private func facts(_ detail: IncidentDetail) -> HTML {
        let summary = detail.summary
        return """
            <dl class="facts"><div><dt>App</dt><dd><bdi>\(summary.key.appText)</bdi></dd></div>\
            <div><dt>Result</dt><dd>\(summary.key.resultText)</dd></div>\
            <div><dt>State</dt><dd id="state">\(Self.badge(summary.state))</dd></div>\
            <div><dt>Reports</dt><dd id="count">\(summary.count)</dd></div>\
            <div><dt>Clients</dt><dd>\(summary.clientsText)</dd></div>\
            <div><dt>First seen</dt><dd>\(DeskTime.element(summary.firstSeen))</dd></div>\
            <div><dt>Last seen</dt><dd>\(DeskTime.element(summary.lastSeen))</dd></div></dl>
            """
    }

    private func actions(_ summary: IncidentSummary) -> HTML {
        let buttons: [(IncidentState, HTML)] = [(.acknowledged, "Acknowledge"), (.resolved, "Resolve")]
        let forms = buttons.filter { summary.state.allows($0.0) }.map { state, label -> HTML in
            """
            <form method="post" action="\(DeskPaths.state(summary.id))">\(formField)\
            <input type="hidden" name="state" value="\(state.rawValue)"><button id="\(state.rawValue)">\(label)</button>\
            </form>
            """
        }
        return "<div class=\"actions\">\(forms)</div>"
    }

    // MARK: Diagnosis

    private func diagnosis(_ view: IncidentView) -> HTML {
        let items = view.diagnoses.map { diagnosis -> HTML in
            let evidence = diagnosis.evidence.map { "<li dir=\"auto\">\($0)</li>" as HTML }
            let advice = diagnosis.kind.advice.map { "<li>\($0)</li>" as HTML }
            return """
                <section class="diagnosis" data-kind="\(diagnosis.kind.rawValue)"><h3>\(diagnosis.kind.title)</h3>\
                <h4>Evidence</h4><ul>\(evidence)</ul><h4>What to do</h4><ul>\(advice)</ul></section>
                """
        }
        return """
            <section id="diagnosis" aria-labelledby="diagnosis-title"><h2 id="diagnosis-title">What happened</h2>\
            <p>Reports can be forged. This is a reason to check, not a proof.</p>\(items)</section>
            """
    }

    private func remedy(_ view: IncidentView) -> HTML {
        let draft: HTML
        switch view.draft {
        case .success(let found):
            let changes = (found.changes + found.warnings).map { "<li dir=\"auto\">\($0)</li>" as HTML }
            draft = """
                <ul>\(changes)</ul><p><a id="draft" href="\(DeskPaths.draft(view.detail.summary.id))" \
                download="\(PolicyDraft.fileName)">Download the draft of the policy</a></p>\
                <p>Sign it where the signing key is:</p><pre id="sign" tabindex="0"><code>\(found.signCommand)</code></pre>
                """
        case .failure(let refusal): draft = "<p id=\"no-draft\">\(refusal.reason)</p>"
        }
        let probe = ProbeCommand.text(view.evidence.host, port: view.port)
        return """
            <section id="remedy" aria-labelledby="remedy-title"><h2 id="remedy-title">Draft and probe</h2>\(draft)\
            <p>Look at the server from this network. The policy is that of the app, or the draft:</p>\
            <pre id="probe" tabindex="0"><code>\(probe)</code></pre></section>
            """
    }

    // MARK: Chain and keys

    private func chainSection(_ view: IncidentView) -> HTML {
        let source: HTML =
            view.sample.map { "<p>From <a href=\"\(DeskPaths.report($0))\">report \($0)</a>.</p>" }
            ?? "<p>No stored report has certificates.</p>"
        let time = view.evidence.clocks.map(\.receivedAt).max() ?? now
        let shown = chain(view.evidence.chain, expected: view.evidence.expectedPins, at: time) { pin in
            view.evidence.catalog.policies(
                listing: pin, for: view.evidence.host, application: view.evidence.application)
        }
        return """
            <section id="chain" aria-labelledby="chain-title"><h2 id="chain-title">The presented chain</h2>\(source)\
            \(shown)</section>
            """
    }

    /// Returns a chain, the server's own certificate first.
    func chain(
        _ chain: DecodedChain, expected: [String], at time: Timestamp, policies: (String) -> [KnownPolicy]
    ) -> HTML {
        guard !chain.certificates.isEmpty else { return "<p class=\"none\">The report contains no certificate.</p>" }
        let items = chain.certificates.enumerated().map { index, certificate -> HTML in
            guard let certificate else {
                return "<li class=\"certificate\"><h3>Certificate \(index + 1)</h3><p>It cannot be read.</p></li>"
            }
            return item(
                certificate, index, isExpected: expected.contains(certificate.pin), time, policies(certificate.pin))
        }
        return "<ol class=\"certificates\">\(items)</ol>"
    }

    private func item(
        _ certificate: DecodedCertificate, _ index: Int, isExpected: Bool, _ time: Timestamp,
        _ policies: [KnownPolicy]
    ) -> HTML {
        let role: HTML =
            index == 0 ? "The server’s own certificate" : certificate.isSelfIssued ? "Root" : "Authority \(index)"
        let names = certificate.names.map { "<li><bdi>\($0)</bdi></li>" as HTML }
        let more: HTML? =
            certificate.nameCount > certificate.names.count
            ? "<li>and \(certificate.nameCount - certificate.names.count) more</li>" : nil
        let nameField: HTML? =
            names.isEmpty ? nil : "<div><dt>Names</dt><dd><ul class=\"names\">\(names)\(more)</ul></dd></div>"
        let known = policies.prefix(5).map { $0.title }.joined(separator: ", ")
        let defects: HTML? =
            certificate.defects.isEmpty
            ? nil : "<div><dt>Defects</dt><dd dir=\"auto\">\(certificate.defects.joined(separator: "; "))</dd></div>"
        return """
            <li class="certificate" data-expected="\(isExpected ? "true" : "false")"><h3>\(role)</h3><dl class="facts">\
            <div><dt>Subject</dt><dd><bdi>\(certificate.subject)</bdi></dd></div>\
            <div><dt>Issuer</dt><dd><bdi>\(certificate.issuer)</bdi></dd></div>\(nameField)\
            <div><dt>Valid</dt><dd>\(validity(certificate, time))</dd></div>\
            <div><dt>Key</dt><dd>\(certificate.key)</dd></div>\
            <div><dt>Pin</dt><dd><code>\(certificate.pin)</code></dd></div>\
            <div><dt>Expected by the app</dt><dd>\(isExpected ? "yes" : "no")</dd></div>\
            <div><dt>In known policies</dt><dd dir="auto">\(known.isEmpty ? "none" : known)</dd></div>\
            <div><dt>Certificate</dt><dd><code>\(certificate.fingerprint)</code></dd></div>\(defects)</dl></li>
            """
    }

    private func validity(_ certificate: DecodedCertificate, _ time: Timestamp) -> HTML {
        guard let begin = certificate.notBefore, let end = certificate.notAfter else { return "malformed" }
        let range: HTML = "\(DeskTime.element(begin)) to \(DeskTime.element(end))"
        if time < begin { return "\(range), <strong>not valid yet</strong> when the report arrived" }
        if time > end { return "\(range), <strong>expired</strong> when the report arrived" }
        return range
    }

    private func keys(_ view: IncidentView) -> HTML {
        let seen = Set(view.evidence.chain.readable.map(\.pin))
        let expected =
            view.evidence.expectedPins + view.detail.knownPins.filter { !view.evidence.expectedPins.contains($0) }
        let rows = expected.prefix(200).map { pin -> HTML in
            let known = view.evidence.catalog.policies(
                listing: pin, for: view.evidence.host, application: view.evidence.application)
            return """
                <tr><th scope="row"><code>\(pin)</code></th><td>\(seen.contains(pin) ? "yes" : "no")</td>\
                <td dir="auto">\(known.isEmpty ? "none" : known.prefix(5).map { $0.title }.joined(separator: ", "))</td></tr>
                """
        }
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"none\">The reports contain no pins.</p>"
            : """
            <div class="scroll" role="region" aria-label="Expected pins" tabindex="0"><table>\
            <caption class="hidden">Expected pins</caption><thead><tr><th scope="col">Expected pin</th>\
            <th scope="col">Presented</th><th scope="col">In known policies</th></tr></thead><tbody>\(rows)</tbody>\
            </table></div>
            """
        return
            "<section id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Expected keys</h2>\(table)</section>"
    }

    // MARK: Numbers

    private func numbers(_ view: IncidentView) -> HTML {
        let detail = view.detail
        let affected = view.affected.map { policy -> HTML in
            let name: HTML = policy.version.isOther ? "all other versions" : "<bdi>\(policy.version.value)</bdi>"
            return """
                <tr><th scope="row">\(name)</th><td class="number">\(policy.version.count)</td>\
                <td>\(policy.knowledge.words)</td></tr>
                """
        }
        let versions: HTML =
            affected.isEmpty
            ? "<p class=\"none\">The reports name no policy version.</p>"
            : """
            <table id="affected"><caption class="hidden">Affected policy versions</caption><thead><tr>\
            <th scope="col">Policy version</th><th scope="col">Reports</th><th scope="col">Lists a presented key</th>\
            </tr></thead><tbody>\(affected)</tbody></table>
            """
        return """
            <section id="numbers" aria-labelledby="numbers-title"><h2 id="numbers-title">Reports over time</h2>\
            \(TimelineChart(detail.hours).markup(title: "Reports"))</section>\
            <section aria-labelledby="policies-title"><h2 id="policies-title">Affected policy versions</h2>\(versions)\
            </section><section aria-labelledby="breakdown-title"><h2 id="breakdown-title">Who reports</h2>\
            <div class="charts">\
            \(BreakdownChart(id: "app-versions", title: "App versions", counts: detail.appVersions).markup())\
            \(BreakdownChart(id: "platforms", title: "Platforms", counts: detail.platforms).markup())\
            \(BreakdownChart(id: "policy-versions", title: "Policy versions", counts: detail.policyVersions).markup())\
            </div></section>
            """
    }

    private func samples(_ detail: IncidentDetail) -> HTML {
        let items = detail.samples.map { "<li><a href=\"\(DeskPaths.report($0))\">Report \($0)</a></li>" as HTML }
        let list: HTML = items.isEmpty ? "<p class=\"none\">No report is stored completely.</p>" : "<ul>\(items)</ul>"
        return """
            <section aria-labelledby="samples-title"><h2 id="samples-title">Newest reports</h2>\
            <div class="samples">\(list)</div></section>
            """
    }

    private func history(_ detail: IncidentDetail) -> HTML {
        let items = detail.history.map { change -> HTML in
            let person: HTML = change.by.isEmpty ? "a report" : "<bdi>\(change.by)</bdi>"
            return "<li>\(DeskTime.element(change.at)): \(change.state.words), by \(person)</li>"
        }
        let list: HTML = items.isEmpty ? "<p class=\"none\">No person has changed the state.</p>" : "<ol>\(items)</ol>"
        return """
            <section id="history" aria-labelledby="history-title"><h2 id="history-title">History</h2>\(list)</section>
            """
    }
}

extension AffectedPolicy.Knowledge {
    fileprivate var words: String {
        switch self {
        case .listsKey: "yes"
        case .lacksKey: "no: still affected"
        case .unknown: "unknown: the desk does not have the bundle"
        }
    }
}
