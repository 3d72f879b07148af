import Testing

@testable import ChatSimulation

/// Tests the users' access tokens.
@Suite struct TokenIssuerTests {
    @Test func aRenewedTokenIsAnotherOne() {
        var office = TokenIssuer()
        let (first, second) = (office.token(of: 0), office.token(of: 1))
        office.renew(0)
        #expect(office.token(of: 0) != first)
        #expect(office.token(of: 1) == second)
    }

    @Test func tokensNameTheirOwners() {
        var office = TokenIssuer()
        office.renew(1)
        for user in SimulationSetup.users.indices {
            #expect(TokenIssuer.owner(ofToken: office.token(of: user)) == SimulationSetup.users[user])
        }
        #expect(TokenIssuer.owner(ofToken: nil) == nil)
    }
}
