//! The reply to `login`, with the GitHubId and the avatar (R16).

use super::modified_utf8;

/// The most characters a GitHubId or an avatar may have. GitHub itself allows 39.
pub const MAX_NAME: usize = 64;

/// A reply to `login`: the GitHubId for the instructor, the avatar for the public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The GitHubId, which only the instructor sees.
    pub github_id: String,
    /// The avatar's name as it was sent. It must be made harmless before it is shown.
    pub avatar: String,
}

impl Login {
    /// Reads the payload of a login reply: `GitHubId:avatar`, one colon, both parts non-empty.
    pub fn read(payload: &[u8]) -> Result<Login, LoginError> {
        let text = modified_utf8::decode(payload).map_err(|_| LoginError::BadText)?;
        let mut parts = text.split(':');
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
        Ok(Login { github_id: github_id.to_string(), avatar: avatar.to_string() })
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
        for (id, avatar) in [("StephenCurry", "Steph"), ("a b", "c d é 😀"), (&longest, &longest)] {
            let login = Login { github_id: id.to_string(), avatar: avatar.to_string() };
            assert_eq!(read(&format!("{id}:{avatar}")), Ok(login));
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
