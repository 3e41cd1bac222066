//! The reply to `login`, with the GitHubId and the avatar (R16).

use std::fmt;

use super::modified_utf8;

/// The most characters a GitHubId or an avatar may have. GitHub itself allows 39.
pub const MAX_NAME: usize = 64;

/// The hexadecimal digits of a key.
const KEY_DIGITS: usize = 32;

/// A key that was sent after an avatar: it is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct LoginKey(Box<str>);

impl LoginKey {
    /// Its text, for the owner of the keys alone.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for LoginKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginKey")
    }
}

/// Splits `name#key`, where the key has 32 hexadecimal digits.
pub fn without_key(text: &str) -> (&str, Option<LoginKey>) {
    match text.rsplit_once('#') {
        Some((name, key))
            if key.len() == KEY_DIGITS && key.bytes().all(|digit| digit.is_ascii_hexdigit()) =>
        {
            (name, Some(LoginKey(key.into())))
        }
        _ => (text, None),
    }
}

/// A reply to `login`: the GitHubId for the instructor, the avatar for the public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The GitHubId, which only the instructor sees.
    pub github_id: String,
    /// The avatar's name as it was sent. It must be made harmless before it is shown.
    pub avatar: String,
    /// The key to the player's place on a practice ladder, if it was sent.
    pub key: Option<LoginKey>,
}

impl Login {
    /// Reads the payload of a login reply: `GitHubId:avatar` or `GitHubId:avatar#key`, one colon, all parts non-empty.
    pub fn read(payload: &[u8]) -> Result<Login, LoginError> {
        let text = modified_utf8::decode(payload).map_err(|_| LoginError::BadText)?;
        let (name, key) = without_key(&text);
        let mut parts = name.split(':');
        let (Some(github_id), Some(avatar), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(if text.contains(':') { LoginError::ManyColons } else { LoginError::NoColon });
        };
        for part in [github_id, avatar] {
            if part.trim().is_empty() {
                return Err(LoginError::EmptyPart);
            }
            if part.chars().count() > MAX_NAME {
                return Err(LoginError::TooLong);
            }
        }
        Ok(Login { github_id: github_id.to_string(), avatar: avatar.to_string(), key })
    }
}

/// Why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoginError {
    /// The bytes are no modified UTF-8.
    #[error("readUTF would not accept its bytes; {LOGIN_FORM}")]
    BadText,
    /// There is no colon in it.
    #[error("there is no colon in it; {LOGIN_FORM}")]
    NoColon,
    /// There are two colons or more in it.
    #[error("there is more than one colon in it; {LOGIN_FORM}")]
    ManyColons,
    /// One of the two names is empty.
    #[error("one of the two names is empty; {LOGIN_FORM}")]
    EmptyPart,
    /// One of the two names has more than [`MAX_NAME`] characters.
    #[error("no name may have more than {MAX_NAME} characters")]
    TooLong,
}

const LOGIN_FORM: &str = "answer your GitHubId, one colon and your avatar's name";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins() {
        let read = |text: &str| Login::read(&modified_utf8::encode(text));
        // As many characters as are allowed, not bytes.
        let longest = "é".repeat(MAX_NAME);
        for (id, avatar) in
            [("StephenCurry", "Steph"), ("a", "b#c#"), ("a b", "c d é 😀"), (&longest, &longest)]
        {
            let key = "0123456789abcdef0123456789abcdef";
            for (sent, key) in [(String::new(), None), (format!("#{key}"), Some(LoginKey(key.into())))] {
                let login = Login { github_id: id.to_string(), avatar: avatar.to_string(), key };
                assert!(!format!("{login:?}").contains("abcdef"));
                assert_eq!(read(&format!("{id}:{avatar}{sent}")), Ok(login));
            }
        }
        for (text, error, words) in [
            ("Steph", LoginError::NoColon, "no colon in it; answer your GitHubId, one colon and"),
            ("", LoginError::NoColon, "no colon"),
            ("a:b:c", LoginError::ManyColons, "more than one colon in it; answer your"),
            (":b", LoginError::EmptyPart, "is empty; answer your"),
            ("a: ", LoginError::EmptyPart, "is empty"),
            (&format!("a:{longest}x"), LoginError::TooLong, "more than 64 characters"),
            (&format!("{longest}x:a"), LoginError::TooLong, "more than 64 characters"),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
            assert!(error.to_string().contains(words), "{error}");
        }
        assert_eq!(Login::read(&[0xFF, b':', b'a']), Err(LoginError::BadText));
        assert!(LoginError::BadText.to_string().contains("readUTF would not accept its bytes; answer"));
    }
}
