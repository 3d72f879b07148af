import ChatServerCore
import ChatWire
import Testing

/// The protocol versions (`chatApiVersion` 17 … 21), on the server's side.
@Suite("Protocol versions")
struct VersionTests {
    private static let survey = Survey(
        id: 1, sendingID: 5, hideAfter: 9_999_999_999_999, questions: [SurveyQuestion(id: 7, text: "How was it?")])

    static let gates: [(OperatorAction, String, Int64)] = [
        (.informsOfProcessing(text: "We process data."), "CLIENT_PERSONAL_DATA_PROCESSING", 18),
        (.surveys(survey, asButtons: true), "BUTTON_SURVEY", 19),
    ]

    @Test("Clients are not sent content that their version does not support", arguments: 0..<2)
    func gate(_ index: Int) {
        let (action, type, since) = Self.gates[index]
        for version in 17...21 {
            let world = ServerWorld()
            world.join(apiVersion: Int64(version))
            world.act(action)
            #expect(world.effects.pushes().map(\.content.wireType).contains(type) == (version >= since), "\(version)")
        }
    }

    @Test("A client below 20 is not told that it is unblocked, but may write", arguments: [19, 20])
    func unblocked(_ version: Int64) {
        let world = ServerWorld()
        world.join(apiVersion: version)
        world.act(.blocks(text: "Enough."))
        #expect(world.send("one", uuid: "u1").failure() == ErrorAnswer("client.blocked"))
        world.act(.unblocks(text: nil))
        let types = world.effects.pushes().map(\.content.wireType)
        #expect(types.contains("CLIENT_BLOCKED"))
        #expect(types.contains("CLIENT_UNBLOCKED") == (version >= 20))
        #expect(world.send("one", uuid: "u1").receipt() != nil)
    }

    @Test("A client below 19 gets a survey as JSON text, a later one as an object")
    func surveyForms() throws {
        for version: Int64 in [17, 18, 19, 21] {
            let world = ServerWorld()
            world.join(apiVersion: version)
            world.act(.surveys(Self.survey, asButtons: false))
            let content = try #require(world.effects.pushes().last).content
            let object = try #require(content.json.objectValue)
            #expect((object["content"] != nil) == (version >= 19))
            #expect((object["text"]?.stringValue != nil) == (version < 19))
            // In either form, it is the same survey.
            guard case .survey(var read) = Content(content.json).body else {
                Issue.record("no survey: \(content)")
                continue
            }
            #expect(read.isTextual == (version < 19))
            read.isTextual = false
            #expect(read == Self.survey)
        }
    }

    @Test("All answers in one message are accepted from version 21 on", arguments: [20, 21])
    func answers(_ version: Int64) {
        let world = ServerWorld()
        world.join(apiVersion: version)
        let form = Content(
            .surveyQualityFormAnswer(answers: [SurveyAnswer(questionID: 7, rate: 5)], comment: "Fine"), uuid: "a1")
        let effects = world.receive(.sendMessage(form, deviceAddress: nil), on: ConnectionID(1))
        if version < 21 {
            #expect(
                effects.failure() == ErrorAnswer("content.api-version", details: "SURVEY_QUALITY_FORM_ANSWER"))
        } else {
            #expect(effects.receipt() != nil)
            // A repeated answer gets the same receipt.
            let again = world.receive(.sendMessage(form, deviceAddress: nil), on: ConnectionID(1))
            #expect(again.receipt() == effects.receipt())
        }
        let single = Content(.surveyQuestionAnswer(SurveyAnswer(questionID: 7, rate: 5)), uuid: "a2")
        #expect(world.receive(.sendMessage(single, deviceAddress: nil), on: ConnectionID(1)).receipt() != nil)
        #expect(world.history().isEmpty)
    }

    @Test("Raw content is sent to every version")
    func raw() {
        let world = ServerWorld()
        world.join(apiVersion: 17)
        world.act(.pushes(Content(.buttonSurvey(Self.survey)), isKept: false))
        #expect(world.effects.pushes().map(\.content.wireType).last == "BUTTON_SURVEY")
    }
}
