"""Surveys: scales, thumbs, buttons, comments, requests to close the conversation, blocking and expiry."""

import re

from harness import PageCase


class Surveys(PageCase):
    def survey(self, *questions, buttons=False, **keys):
        """Sends a survey; the questions are dictionaries with the protocol's keys."""
        questions = [{"id": 30 + n, "sendingId": 40 + n, **question} for n, question in enumerate(questions)]
        survey = {"id": 1, "sendingId": 2, "questions": questions, **keys}
        self.operator.act(self.user, {"action": "survey", "survey": survey, "buttons": buttons})

    def answers(self, count=1):
        """Waits for the answers to surveys on the server."""
        kinds = ("SURVEY_QUESTION_ANSWER", "SURVEY_QUALITY_FORM_ANSWER")
        return self.poll(
            lambda: (found := [m["content"] for m in self.operator.messages(self.user)
                               if m["content"].get("type") in kinds]) and len(found) >= count and found,
            f"{count} answers to the survey")

    def shown(self, screen):
        """Waits for the survey's element."""
        return screen.need('[id^="survey-"]')

    def choose(self, survey, value):
        """Chooses a rating: a radio button or a button of the scale."""
        radio = survey.locator(f'input[type="radio"][value="{value}"]')
        if radio.count():
            # The label is what people click; the field itself can be invisible.
            label = radio.first.locator("xpath=ancestor::label")
            (label if label.count() else radio.first).click()
        else:
            survey.locator(f'button[value="{value}"], button[data-rate="{value}"]').first.click()

    def submit(self, survey):
        """Sends the answers, if the survey needs it."""
        button = survey.locator(".submit")
        if button.count() and button.first.is_visible():
            button.first.click()

    def test_a_scale(self):
        screen = self.open()
        self.survey({"text": "How was <b>it</b>?", "scale": 5})
        survey = self.shown(screen)
        self.assertIn("How was <b>it</b>?", survey.text_content())
        choices = survey.locator('input[type="radio"], button[value], button[data-rate]')
        self.assertEqual(choices.count(), 5)
        self.choose(survey, 4)
        self.submit(survey)
        self.assertIn("4", str(self.answers()))

    QUESTION = """() => { const fields = [...document.querySelectorAll('[id^="survey-"] .question fieldset')];
        return fields.map((field) => [field.disabled, field.querySelector(':checked')?.value ?? null]) }"""
    """Whether each question can no longer be answered, and its rating."""

    def test_an_answered_survey_keeps_its_rating_and_thanks(self):
        screen = self.open()
        self.survey({"text": "Speed?", "scale": 5, "clientCommentThreshold": 3},
                    {"text": "Kindness?", "scale": 5, "clientCommentThreshold": 3})
        survey = self.shown(screen)
        self.assertEqual(screen.run(self.QUESTION), [[False, None], [False, None]])
        self.choose(survey.locator(".question").nth(0), 2)
        screen.wait_answer("rate")
        # The process knows the rating: a page that is loaded again shows it.
        screen.page.reload()
        screen.ready()
        survey = self.shown(screen)
        self.assertEqual(screen.run(self.QUESTION), [[False, "2"], [False, None]])
        self.assertEqual(survey.locator(".thanks").count(), 0)
        self.choose(survey.locator(".question").nth(1), 5)
        # The button appears when the process knows both ratings.
        screen.need('[id^="survey-"] .submit').click()
        self.answers()
        self.assertEqual(screen.need('[id^="survey-"] .thanks').inner_text(), "Thank you for your rating")
        self.assertEqual(screen.run(self.QUESTION), [[True, "2"], [True, "5"]])
        self.assertEqual(survey.locator(".submit, button.retry").count(), 0)

    def test_an_answer_that_fails_can_be_sent_again(self):
        screen = self.open()
        self.survey({"text": "How was it?", "scale": 5})
        survey = self.shown(screen)
        self.operator.act(self.user, {
            "action": "fault", "fault": "fail", "frame": "SURVEY_QUALITY_FORM_ANSWER", "error": "survey.forbidden",
            "details": "The survey is over", "times": 1})
        self.choose(survey, 4)
        self.submit(survey)
        retry = screen.need('[id^="survey-"] button.retry')
        self.assertIn("Not delivered", survey.locator(".failure").inner_text())
        self.assertEqual(survey.locator(".thanks").count(), 0, "nobody is thanked for an answer that did not arrive")
        retry.click()
        self.assertIn("4", str(self.answers()))
        screen.need('[id^="survey-"] .thanks')
        screen.gone('[id^="survey-"] button.retry')

    def test_thumbs(self):
        screen = self.open()
        self.survey({"text": "Helpful?", "simple": True, "scale": 2})
        survey = self.shown(screen)
        choices = survey.locator('input[type="radio"], button[value], button[data-rate]')
        self.assertEqual(choices.count(), 2)
        self.choose(survey, choices.last.get_attribute("value") or choices.last.get_attribute("data-rate"))
        self.submit(survey)
        self.answers()

    def test_buttons(self):
        screen = self.open()
        self.survey({"text": "And the price?", "surveyViewType": "BUTTON", "buttons": [
            {"text": "Fair", "value": "1"}, {"text": "Too <i>high</i>", "value": "2"}]}, buttons=True)
        survey = self.shown(screen)
        self.assertIn("Too <i>high</i>", survey.text_content())
        self.choose(survey, 2)
        self.submit(survey)
        self.assertIn("2", str(self.answers()))

    def test_several_questions_travel_together_with_a_comment(self):
        screen = self.open()
        self.survey({"text": "Speed?", "scale": 5, "clientCommentThreshold": 3},
                    {"text": "Kindness?", "scale": 5, "clientCommentThreshold": 3})
        survey = self.shown(screen)
        groups = survey.locator("fieldset, [role='radiogroup'], [role='group']")
        self.assertEqual(groups.count(), 2)
        self.choose(groups.nth(0), 1)
        survey.locator(".comment").first.wait_for(state="visible")
        self.choose(groups.nth(1), 5)
        survey.locator("textarea.comment, .comment textarea, input.comment").first.fill("Slow, but kind")
        survey.locator(".submit").first.click()
        answers = self.answers()
        self.assertEqual(len(answers), 1)
        self.assertIn("Slow, but kind", str(answers))

    def test_a_good_rating_asks_for_no_comment(self):
        screen = self.open()
        self.survey({"text": "Speed?", "scale": 5, "clientCommentThreshold": 2},
                    {"text": "Kindness?", "scale": 5, "clientCommentThreshold": 2})
        survey = self.shown(screen)
        groups = survey.locator("fieldset, [role='radiogroup'], [role='group']")
        self.choose(groups.nth(0), 5)
        self.choose(groups.nth(1), 5)
        self.assertFalse(survey.locator(".comment").first.is_visible() if survey.locator(".comment").count() else False)
        self.submit(survey)
        self.answers()

    def test_a_survey_can_block_the_field(self):
        screen = self.open()
        self.survey({"text": "First this", "scale": 3}, blockInput=True)
        survey = self.shown(screen)
        screen.until("() => { const field = document.querySelector('#text');"
                     " return !field || field.disabled || field.readOnly }", what="the field is blocked")
        self.choose(survey, 2)
        self.submit(survey)
        self.answers()
        screen.until("() => { const field = document.querySelector('#text');"
                     " return field && !field.disabled && !field.readOnly }", what="the field is free")

    def test_a_survey_expires(self):
        screen = self.open()
        self.survey({"text": "Quick", "scale": 3}, hideAfter=3)
        self.shown(screen)
        screen.gone('[id^="survey-"]')

    def test_a_request_to_close_can_be_accepted_and_refused(self):
        for selector, kind in ((".close-thread", "CLOSE_THREAD"), (".reopen-thread", "REOPEN_THREAD")):
            with self.subTest(kind):
                words = "close" if kind == "CLOSE_THREAD" else "reopen|continue|keep|stay"
                user = f"{self.user}-{kind.lower()}"
                screen = self.open(user)
                screen.send("Hello")
                self.operator.act(user, {"action": "requestClose", "hideAfter": 60})
                survey = self.shown(screen)
                button = survey.locator(selector)
                if not button.count():
                    button = survey.get_by_role("button", name=re.compile(words, re.IGNORECASE))
                button.first.click()
                open_thread = kind == "REOPEN_THREAD"
                self.poll(lambda: self.operator.client(user)["isThreadOpen"] == open_thread, "the thread's state")
                screen.until("() => !document.querySelector('[id^=\"survey-\"] button:not([disabled])')",
                             what="the request is answered")
